import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { readText } from './answer-body.ts';
import type { Http, HttpCall } from './http.ts';
import { CHECK_UI, READ_UI, WAIT_UI } from './operations.ts';
import type { WaitOptions } from './session.ts';
import type { Platform, UiAnswer, UiTree } from './types.ts';

interface About {
  readonly sessionId: string;
  readonly platform: Platform;
}

/** What is on the screen of a session's device, after the interactions that were accepted before. */
export async function readUi(http: Http, about: About, { signal }: CallOptions): Promise<UiTree> {
  const to = routeTo('GET /service/{platform}/{sessionId}/ui', about);
  const call: HttpCall = { operation: READ_UI, ...to, signal, about };
  const tree = await http.json<UiTree>(call);
  if (Number.isInteger(tree.frame) && Array.isArray(tree.nodes)) return tree;
  throw http.invalid(call, 'it has no nodes', { status: 200 });
}

/** The same as lines of text. */
export function readOutline(http: Http, about: About, { signal }: CallOptions): Promise<string> {
  const { method, path } = routeTo('GET /service/{platform}/{sessionId}/ui', about);
  const call: HttpCall = { operation: READ_UI, method, path: `${path}?format=outline`, signal, about };
  const { jsonBytes } = http.bounds;
  return http.read(call, async (response, deadline) => {
    const text = await readText(response, jsonBytes, deadline);
    if (text !== undefined) return text;
    throw http.invalid(call, `it is longer than ${jsonBytes} bytes`, response);
  });
}

/** The service's own timeout of a wait. */
const WAIT_MS = 15_000;

/** Asks whether something is so on the screen, now or within a time. */
export async function askUi(
  http: Http,
  about: About,
  how: 'check' | 'wait',
  asked: object,
  { timeoutMs, signal }: WaitOptions,
): Promise<UiAnswer> {
  const call: HttpCall = {
    operation: how === 'wait' ? WAIT_UI : CHECK_UI,
    ...routeTo(`POST /service/{platform}/{sessionId}/ui/${how}`, about),
    json: { ...asked, timeoutMs },
    signal,
    waitMs: (timeoutMs ?? WAIT_MS) + http.bounds.graceMs,
    about,
  };
  const answer = await http.json<UiAnswer>(call);
  if (typeof answer.holds === 'boolean') return answer;
  throw http.invalid(call, 'it does not say whether it is so', { status: 200 });
}

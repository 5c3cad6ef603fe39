import { Agent, request } from 'node:http';
import type { CreatedViewerLink } from '@runcloud/protocol';
import type { FloodKind, FloodOrder } from './flood-order.ts';

/** Floods of REST calls. */

interface Answer {
  readonly status: number;
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;
type Send = (method: string, path: string, body?: string | Uint8Array, headers?: Headers) => Promise<Answer>;

/** The calls that each connection repeats; `lane` is its number. */
type Round = (send: Send, lane: number) => Promise<unknown>;

/** A flood ignores `Retry-After` and reconnects after a failure; this is the pause in between. */
const PAUSE_MS = 2;
const JSON_BODY = { 'Content-Type': 'application/json' };
const LINKS = 50;

/** Gets ready for a flood and gives what begins it; `undefined` for a kind that is no flood of calls. */
export async function prepareCalls(order: FloodOrder, body: string): Promise<(() => void) | undefined> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.sockets });
  const send: Send = (method, path, content = '', headers = JSON_BODY) =>
    new Promise((resolve, reject) => {
      const all = {
        Authorization: order.authorization,
        'Content-Length': Buffer.byteLength(content),
        ...headers,
      };
      const call = request(order.url + path, { agent, method, headers: all }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
        answer.on('error', reject);
      });
      call.on('error', reject);
      call.end(content);
    });
  const round = await roundOf(order, body, send);
  if (!round) return undefined;
  const again = (lane: number) => {
    const next = () => void setTimeout(again, PAUSE_MS, lane);
    round(send, lane).then(next, next);
  };
  return () => {
    for (let lane = 0; lane < order.sockets; lane++) again(lane);
  };
}

async function roundOf(order: FloodOrder, body: string, send: Send): Promise<Round | undefined> {
  const { kind, session, sessionId } = order;
  const made: Partial<Record<FloodKind, () => Round | Promise<Round>>> = {
    'refused body': () => () => send('POST', `${session}/interactions`, body),
    'slow packages': async () => {
      const { SLOW_PACKAGES } = await import('./slow-packages.ts');
      const packages = await Promise.all(Object.values(SLOW_PACKAGES).map((make) => make()));
      return (_, lane) => upload(send, packages[lane % packages.length] ?? '');
    },
    uploads: async () => {
      const { iosPackage } = await import('./ios-package.ts');
      const packages = await Promise.all(
        Array.from({ length: order.sockets }, (_, lane) => iosPackage({ files: { lane: `${sessionId} ${lane}` } })),
      );
      return (_, lane) => upload(send, packages[lane] ?? '');
    },
    lists: async () => {
      await fillLists(send, sessionId);
      return (_, lane) => send('GET', LISTS(sessionId)[lane % LISTS(sessionId).length] ?? '');
    },
    sessions: () => async () => {
      const { status, text } = await send('POST', '/service/sessions', '{"platform":"android"}');
      if (status === 201) await send('DELETE', `/service/sessions/${JSON.parse(text).id}`);
    },
    'sign-ins': () => signIns(order),
    'device codes': () => (_, lane) =>
      send('POST', '/oauth/device_authorization', 'client_id=runcloud-cli', {
        'Content-Type': 'application/x-www-form-urlencoded',
        ...from(lane),
      }),
  };
  return made[kind]?.();
}

/** Strangers come from networks of their own. */
const from = (lane: number): Headers => ({ 'X-Forwarded-For': `198.51.100.${lane + 1}` });

async function upload(send: Send, content: string | Uint8Array): Promise<void> {
  const { status, text } = await send('POST', '/service/assets', content, {
    'Content-Type': 'application/octet-stream',
  });
  if (status === 201) await send('DELETE', `/service/assets/${JSON.parse(text).id}`);
}

/** The account's own browser does what it may; everybody else guesses, at accounts that there are and at others. */
function signIns({ people }: FloodOrder): Round {
  if (!people) throw new Error('nobody is there to sign in');
  const { own, password, others } = people;
  let count = 0;
  return (send, lane) => {
    const isOwn = lane % 8 === 0;
    const email = isOwn ? own.email : lane % 2 === 0 ? others[count % others.length] : `u${count}@example.com`;
    const text = JSON.stringify({ email, password: isOwn ? password : `wrong ${password} ${count}` });
    count++;
    const address = from(isOwn ? 0 : lane);
    return send('POST', '/service/account/sign-in', text, {
      ...own.headers,
      ...(isOwn ? {} : { Cookie: '' }),
      ...JSON_BODY,
      ...address,
    });
  };
}

const LISTS = (sessionId: string) => [
  '/service/sessions?limit=200',
  `/service/sessions/${sessionId}/viewer-links?limit=200`,
  '/service/sessions?limit=200&status=released',
  '/service/account/keys?limit=200',
];

/** Its sessions are there already. */
async function fillLists(send: Send, sessionId: string): Promise<void> {
  for (let count = 0; count < LINKS; count++) {
    await send('POST', `/service/sessions/${sessionId}/viewer-links`, '{"role":"view"}');
    await send('POST', '/service/account/keys', JSON.stringify({ name: `key ${count}` }));
  }
}

/** The token of a new link that lets its holder look. */
export async function viewingToken({ url, sessionId, authorization }: FloodOrder): Promise<string> {
  const response = await fetch(`${url}/service/sessions/${sessionId}/viewer-links`, {
    method: 'POST',
    headers: { Authorization: authorization, ...JSON_BODY },
    body: '{"role":"view"}',
  });
  const link = (await response.json()) as CreatedViewerLink;
  return new URL(link.url).searchParams.get('token') ?? '';
}

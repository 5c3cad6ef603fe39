import type { ServerMessage, SessionRecord, UiNode } from '@runcloud/protocol';
import { AnswerCheck } from './answer-check.ts';
import type { RestClient } from './rest-client.ts';
import { ResumingClient } from './resuming-client.ts';
import { until } from './until.ts';

/** Opens Touch Lab, which counts its taps, from the home screen of the virtual iPhone. */
const TOUCH_LAB = { action: 'tap', x: 0.164, y: 0.922 };
/** On nothing that takes it for itself. */
const TAP = { action: 'tap', x: 0.5, y: 0.6 };
/** Each of so many taps is sent twice. */
const TWICE = 50;
/** Taps that are remembered behind their answers, for longer than any answer is on its way. */
const REMEMBERED = 2_000;
const PAUSE_MS_MAX = 100;
/** A finger that a busy machine leaves down for so long presses; an acknowledgement tells no less. */
const LONG_PRESS_MS = 500;

export interface TappedSessionOptions {
  readonly rest: () => RestClient;
  readonly url: () => string;
  readonly record: SessionRecord;
  /** Milliseconds from the time at which a tap was meant to leave to its first answer. */
  readonly onAnswered: (latencyMs: number) => void;
}

/** A session whose phone counts taps, and the client that sends them and resumes whenever it loses its socket. */
export class TappedSession {
  readonly record: SessionRecord;
  readonly answers = new AnswerCheck(REMEMBERED);
  /** Taps that were acknowledged to have been done, each once; and those of them that may have been long presses, which the phone does not count. */
  completed = 0;
  slow = 0;
  /** Taps that were answered in another way, by the code of the error. */
  readonly otherwise = new Map<string, number>();
  /** Statuses with which a socket was refused since the last look. */
  readonly refusals = new Set<number>();
  readonly #options: TappedSessionOptions;
  readonly #client: ResumingClient;
  readonly #meantMs = new Map<string, number>();
  #sent = 0;

  private constructor(options: TappedSessionOptions) {
    this.#options = options;
    this.record = options.record;
    this.#client = new ResumingClient({
      url: options.url,
      session: options.record,
      authorization: options.rest().authorization,
      pauseMsMax: PAUSE_MS_MAX,
      answers: this.answers,
      onMessage: (message) => this.#take(message),
      onUnwanted: (status) => this.refusals.add(status),
    });
  }

  /** Resolves when the phone counts taps. */
  static async open(options: TappedSessionOptions): Promise<TappedSession> {
    const { record, rest } = options;
    await until(async () => {
      await rest().interact(record, TOUCH_LAB);
      return (await tapsOf(rest(), record)) !== undefined;
    }, 'Touch Lab is open');
    const before = (await tapsOf(rest(), record)) ?? 0;
    const session = new TappedSession(options);
    session.completed = before;
    return session;
  }

  /** Connections that could not be resumed. */
  get refused(): number {
    return this.#client.refused;
  }

  get resumedMs(): readonly number[] {
    return this.#client.resumedMs;
  }

  /** @param meantMs the time at which it was meant to leave */
  tap(meantMs: number): void {
    const requestId = `tap-${this.#sent++}`;
    const message = { type: 'interaction', requestId, ...TAP, acks: 'final' };
    this.#meantMs.set(requestId, meantMs);
    for (let times = this.#sent % TWICE === 0 ? 2 : 1; times > 0; times--) {
      this.answers.sent(requestId, true);
      this.#client.send(message);
    }
  }

  /** What the phone has counted, without what it was acknowledged to have done; `NaN` if nobody can say. */
  async surplus(): Promise<number> {
    return ((await tapsOf(this.#options.rest(), this.record)) ?? Number.NaN) - this.completed;
  }

  close(): void {
    this.#client.close();
  }

  #take(message: ServerMessage): void {
    if (message.type !== 'result') return;
    const { requestId, status, error, durationMs } = message;
    const meantMs = this.#meantMs.get(requestId);
    if (meantMs === undefined) return;
    this.#meantMs.delete(requestId);
    if (status === 'completed') {
      this.completed++;
      if (durationMs >= LONG_PRESS_MS) this.slow++;
    } else this.otherwise.set(error?.code ?? status, (this.otherwise.get(error?.code ?? status) ?? 0) + 1);
    this.#options.onAnswered(performance.now() - meantMs);
  }
}

async function tapsOf(rest: RestClient, { platform, id }: SessionRecord): Promise<number | undefined> {
  const { body } = await rest.call<{ nodes?: readonly UiNode[] }>('GET', `/service/${platform}/${id}/ui`);
  const find = (nodes: readonly UiNode[]): string | undefined => {
    for (const { name, value, children = [] } of nodes) {
      const found = name === 'Taps' ? value : find(children);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const value = find(body.nodes ?? []);
  return value === undefined ? undefined : Number(value);
}

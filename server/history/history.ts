import type { HistoryEntry } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { FairSemaphore, type Requester } from '../flow/fair-semaphore.ts';
import type { Port } from '../link/messages.ts';
import { PendingCalls } from '../link/pending-calls.ts';
import type { StoredHistory } from '../store/session-row.ts';
import type { Piece } from './layout.ts';
import type { FindOrder, FromHistory, ReadOrder, Stretch, ToHistory } from './messages.ts';
import { type PastHistory, type Postbox, SessionHistory } from './session-history.ts';

/** How long news may gather before they are posted. */
export const POST_MS = 250;
/** How long an entry is kept back for its end, which most have sooner. */
const END_MS = 350;
/** Bytes that may wait to be written; what comes then is lost, and the next entry says how much. */
const WAITING_BYTES_MAX = 67_108_864;
/** How soon a thread that has ended is started anew. */
const RESTART_MS = 1_000;

/** Reads that are at the thread at once: a write waits for no more than these. */
const READS_AT_ONCE = 4;
const READS_WAITING_MAX = 1_000;
/** In the place of an account, for what nobody has asked for. */
const COPIES = 'copies';

export interface HistoryOptions {
  readonly spawn: () => Port<ToHistory, FromHistory>;
  readonly clock: Clock;
  /** Told of trouble with the file, once each time. */
  readonly onTrouble: (reason: string) => void;
  readonly waitingBytesMax?: number;
}

/** `writing`: all is well. `waiting`: the storage takes nothing now. `ended`: the thread is to be started anew. */
export type HistoryState = 'writing' | 'waiting' | 'ended';

interface Batch {
  readonly order: Extract<ToHistory, { kind: 'write' }>;
  readonly bytes: number;
}

interface Waiting {
  readonly resolve: (answer: FromHistory) => void;
  readonly reject: (error: ServiceError) => void;
}

/**
 * The gateway's side of the history: it gathers news of all sessions, and posts them a few times a second to the thread that
 * writes them. Nothing that befalls the history holds up a request.
 */
export class History implements Postbox {
  waitingBytes = 0;
  readonly waitingBytesMax: number;
  readonly #options: HistoryOptions;
  #port: Port<ToHistory, FromHistory>;
  #calls: PendingCalls<Waiting>;
  readonly #reads = new FairSemaphore({ runningMax: READS_AT_ONCE, waitingMax: READS_WAITING_MAX, onFull: tooMany });
  readonly #live = new Map<string, SessionHistory>();
  #news: SessionHistory[] = [];
  /** Posted and not written yet, oldest first. */
  readonly #posted: Batch[] = [];
  #postedBytes = 0;
  #batches = 0;
  #state: HistoryState = 'writing';
  #lost = 0;
  #isClosed = false;
  #cancelPost: (() => void) | undefined;
  #cancelRestart: () => void = () => undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.waitingBytesMax = options.waitingBytesMax ?? WAITING_BYTES_MAX;
    this.#calls = callsOf();
    this.#port = this.#start();
  }

  get state(): HistoryState {
    return this.#state;
  }

  /** How many requests could not be kept. */
  get lostCount(): number {
    return this.#lost;
  }

  /**
   * The history of a session that begins to live.
   * @param fullTexts whether texts are kept, and not their lengths alone
   * @param past of a session that goes on
   */
  begin(sessionId: string, fullTexts: boolean, past?: PastHistory): SessionHistory {
    const session = new SessionHistory(sessionId, fullTexts, this, past);
    this.#live.set(sessionId, session);
    return session;
  }

  /** The session has ended: entries that have no end by now get none. */
  end(sessionId: string): void {
    this.#live.delete(sessionId);
  }

  /**
   * Copies the whole history of a session that has ended into a new file at `path`. Rejects as `read` does.
   */
  async copy(sessionId: string, path: string): Promise<StoredHistory> {
    const requester = { source: COPIES, part: sessionId };
    const answer = await this.#ask(requester, (call) => ({ kind: 'copy', call, sessionId, path }));
    if (answer.kind !== 'copied') throw unavailable();
    return answer.file;
  }

  /**
   * Entries as they stand now. Rejects with `store_unavailable` while the file cannot be read, and with `rate_limited` when too
   * many reads wait. Those of one account take turns with those of others, so that neither they nor writes wait for it.
   */
  async read(accountId: string, order: Omit<ReadOrder, 'liveFrom'>): Promise<Stretch> {
    const liveFrom = this.#liveFrom(order.sessionId);
    const requester = { source: accountId, part: order.sessionId };
    const answer = await this.#ask(requester, (call) => ({ kind: 'read', call, order: { ...order, liveFrom } }));
    if (answer.kind !== 'stretch') throw unavailable();
    return answer.stretch;
  }

  /** The newest entry of a request. Rejects as `read` does. */
  async find(
    accountId: string,
    { sessionId, requestId, copy }: Omit<FindOrder, 'liveFrom'>,
  ): Promise<HistoryEntry | undefined> {
    const liveFrom = this.#liveFrom(sessionId);
    const requester = { source: accountId, part: sessionId };
    const answer = await this.#ask(requester, (call) => ({
      kind: 'find',
      call,
      order: { sessionId, requestId, liveFrom, ...(copy !== undefined && { copy }) },
    }));
    if (answer.kind !== 'found') throw unavailable();
    return answer.entry === undefined ? undefined : (JSON.parse(answer.entry) as HistoryEntry);
  }

  #liveFrom(sessionId: string): number {
    return this.#live.get(sessionId)?.from ?? Number.POSITIVE_INFINITY;
  }

  add(session: SessionHistory): void {
    this.#news.push(session);
    const { clock } = this.#options;
    this.#cancelPost ??= clock.schedule(POST_MS, () => this.#post(clock.wallMs() - END_MS));
  }

  lost(count: number): void {
    this.#lost += count;
  }

  /** Posts what is left, and ends the thread, which writes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#post();
    this.#cancelRestart();
    await this.#port.close();
  }

  /** @param olderThanMs see `SessionHistory.take` */
  #post(olderThanMs?: number): void {
    this.#cancelPost?.();
    this.#cancelPost = undefined;
    const news = this.#news;
    if (news.length === 0) return;
    this.#news = [];
    // A session that keeps something back adds itself again.
    const pieces = news.map((session) => session.take(olderThanMs)).filter(saysSomething);
    if (pieces.length === 0) return;
    const order = { kind: 'write', batch: ++this.#batches, pieces } as const;
    const bytes = this.waitingBytes - this.#postedBytes;
    this.#posted.push({ order, bytes });
    this.#postedBytes += bytes;
    // A thread that ends before it has written this gets it once more, so that the gateway keeps its own copy.
    if (this.#state !== 'ended') this.#port.send([order], []);
  }

  #ask(requester: Requester, question: (call: number) => ToHistory): Promise<FromHistory> {
    return this.#reads.run(requester, () => {
      // What the caller was told before has to be in the answer.
      this.#post();
      return new Promise((resolve, reject) => {
        const call = this.#calls.begin({ resolve, reject });
        if (this.#state !== 'ended') this.#port.send([question(call)], []);
      });
    });
  }

  #start(): Port<ToHistory, FromHistory> {
    const port = this.#options.spawn();
    port.onReceive((batch) => {
      for (const message of batch) this.#receive(message);
    });
    port.onClosed((reason) => {
      this.#state = 'ended';
      this.#calls.end(reason);
      if (this.#isClosed) return;
      this.#options.onTrouble(`the thread of the history has ended: ${reason}`);
      this.#cancelRestart = this.#options.clock.schedule(RESTART_MS, () => this.#restart());
    });
    return port;
  }

  #restart(): void {
    this.#state = 'writing';
    this.#calls = callsOf();
    this.#port = this.#start();
    for (const { order } of this.#posted) this.#port.send([order], []);
  }

  #receive(message: FromHistory): void {
    switch (message.kind) {
      case 'written':
        return this.#written(message.batch);
      case 'stretch':
      case 'found':
      case 'copied':
        return this.#calls.take(message.call)?.resolve(message);
      case 'unavailable':
        return this.#calls.take(message.call)?.reject(unavailable());
      case 'waiting':
        this.#state = 'waiting';
        return this.#options.onTrouble(`the history cannot be written now, and waits: ${message.reason}`);
      case 'well':
        this.#state = 'writing';
        return;
      case 'begun anew':
        return this.#options.onTrouble(`the history's file was broken and is begun anew: ${message.reason}`);
      case 'fault':
        return this.#options.onTrouble(`a part of the history could not be written or read: ${message.reason}`);
    }
  }

  #written(batch: number): void {
    while (this.#posted[0] && this.#posted[0].order.batch <= batch) {
      const { bytes } = this.#posted.shift() as Batch;
      this.#postedBytes -= bytes;
      this.waitingBytes -= bytes;
    }
  }
}

const saysSomething = ({ count, notes, steps, changes, origins }: Piece): boolean =>
  count + notes.length + steps.length + changes.length + origins.length > 0;

const callsOf = () => new PendingCalls<Waiting>(({ reject }) => reject(unavailable()));

const tooMany = (): ServiceError =>
  new ServiceError('rate_limited', 'Too many reads of histories are waiting.', { retryAfterSeconds: 1 });

/** What readers of histories call. */
export type HistoryReads = Pick<History, 'read' | 'find'>;

export const unavailable = (): ServiceError =>
  new ServiceError('store_unavailable', 'The history cannot be read at the moment.', { retryAfterSeconds: 1 });

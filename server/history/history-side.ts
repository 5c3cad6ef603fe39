import type { Clock } from '../flow/clock.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import type { Port } from '../link/messages.ts';
import { Sqlite } from '../store/sqlite.ts';
import { copyHistory, OpenCopies } from './copies.ts';
import { HistoryFile, moveAside } from './history-file.ts';
import type { FromHistory, ToHistory } from './messages.ts';

/** How soon a write is tried again that the storage did not take. */
export const RETRY_MS = 1_000;
/** How often histories of forgotten sessions are looked for, and how many sessions are looked at in one go. */
export const FORGET_INTERVAL_MS = 600_000;
const LOOKED_AT_ONCE = 100;
/** The pause between two steps of it. */
const STEP_MS = 20;

const BROKEN = /^SQLITE_(CORRUPT|NOTADB)(_|$)/;
const isBroken = (error: unknown): boolean => error instanceof Sqlite.SqliteError && BROKEN.test(error.code);

type Write = Extract<ToHistory, { kind: 'write' }>;
type Copy = Extract<ToHistory, { kind: 'copy' }>;
type Question = Exclude<ToHistory, Write | Copy>;
type Answer = Extract<FromHistory, { kind: 'stretch' | 'found' }>;

export interface HistorySideOptions {
  readonly port: Port<FromHistory, ToHistory>;
  readonly path: string;
  /** Which of these sessions still have a record; `undefined` when that cannot be told now. */
  readonly isKept: (ids: readonly string[]) => ReadonlySet<string> | undefined;
  readonly clock: Clock;
}

/**
 * Serves the gateway's orders on the thread of the history. Whatever befalls the file, nobody but a reader of the history
 * notices: what cannot be written waits and is tried again, and a broken file makes room for a new one.
 */
export class HistorySide {
  readonly #options: HistorySideOptions;
  #file: HistoryFile | undefined;
  readonly #copies = new OpenCopies();
  /** Batches that the storage did not take, oldest first. */
  readonly #waiting: Write[] = [];
  #isWell = true;
  #cancelRetry: () => void = () => undefined;
  #cancelForgetting: () => void;

  constructor(options: HistorySideOptions) {
    this.#options = options;
    options.port.onReceive((orders) => {
      for (const order of orders) this.#receive(order);
    });
    this.#cancelForgetting = options.clock.schedule(FORGET_INTERVAL_MS * Math.random(), () => this.#forget(0));
  }

  close(): void {
    this.#cancelRetry();
    this.#cancelForgetting();
    this.#write();
    this.#close();
    this.#copies.close();
  }

  #receive(order: ToHistory): void {
    if (order.kind === 'write') {
      this.#waiting.push(order);
      // In trouble, the next try is on its way.
      if (this.#isWell) this.#write();
      return;
    }
    if (order.kind === 'copy') return void this.#copy(order);
    if (order.order.copy !== undefined) return this.#answerFrom(order.order.copy, order);
    const { call } = order;
    // What was posted before has to be in the answer.
    if (!this.#isWell) this.#write();
    try {
      const file = this.#open();
      const news = this.#waiting.flatMap(({ pieces }) => pieces);
      const look = () => this.#look(file, order);
      this.#answer(news.length === 0 ? look() : file.foresee(news, look));
    } catch (error) {
      if (this.#notice(error) === 'go on' && !isBroken(error)) this.#send({ kind: 'fault', reason: String(error) });
      this.#send({ kind: 'unavailable', call });
    }
  }

  /** Nothing that is wrong with a copy befalls the file of the service's own sessions. */
  #answerFrom(copy: string, question: Question): void {
    try {
      this.#answer(this.#look(this.#copies.at(copy), question));
    } catch (error) {
      this.#refuse(question.call, error);
    }
  }

  async #copy({ call, sessionId, path }: Copy): Promise<void> {
    if (!this.#isWell) this.#write();
    try {
      // What still waits to be written would be missing.
      if (!this.#isWell) return this.#send({ kind: 'unavailable', call });
      this.#send({ kind: 'copied', call, file: await copyHistory(this.#open(), sessionId, path) });
    } catch (error) {
      // The new file may be the one that is in trouble: whoever reads the other one next notices trouble with that.
      this.#refuse(call, error);
    }
  }

  #refuse(call: number, error: unknown): void {
    this.#send({ kind: 'fault', reason: String(error) });
    this.#send({ kind: 'unavailable', call });
  }

  #answer(answer: Answer): void {
    this.#send(answer, answer.kind === 'stretch' ? (answer.stretch.bytes.buffer as ArrayBuffer) : undefined);
  }

  #look(file: HistoryFile, question: Question): Answer {
    const { call } = question;
    if (question.kind === 'read') return { kind: 'stretch', call, stretch: file.read(question.order) };
    const entry = file.find(question.order);
    return { kind: 'found', call, ...(entry && { entry: JSON.stringify(entry) }) };
  }

  /** Writes what waits, until the storage takes no more. */
  #write(): void {
    this.#cancelRetry();
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      try {
        this.#open().write(next.pieces);
      } catch (error) {
        if (this.#notice(error) === 'wait') return this.#wait(error);
        // Once more in a new file; a batch that cannot be written at all is given up, and no other waits for it.
        if (!this.#writeAnew(next)) this.#send({ kind: 'fault', reason: String(error) });
      }
      this.#waiting.shift();
      this.#send({ kind: 'written', batch: next.batch });
    }
    if (this.#isWell) return;
    this.#isWell = true;
    this.#send({ kind: 'well' });
  }

  #writeAnew({ pieces }: Write): boolean {
    try {
      this.#open().write(pieces);
      return true;
    } catch {
      return false;
    }
  }

  #wait(error: unknown): void {
    if (this.#isWell) this.#send({ kind: 'waiting', reason: String(error) });
    this.#isWell = false;
    this.#cancelRetry = this.#options.clock.schedule(RETRY_MS, () => this.#write());
  }

  /** Whether to wait and try again, after trouble with the file. */
  #notice(error: unknown): 'wait' | 'go on' {
    const { path } = this.#options;
    if (isBroken(error)) {
      this.#close();
      try {
        moveAside(path);
      } catch (failure) {
        // The storage itself does not let go of it.
        return isGone(failure) ? 'go on' : 'wait';
      }
      this.#send({ kind: 'begun anew', reason: String(error) });
      return 'go on';
    }
    // A file that could not be opened is opened again at the next try.
    return isStorageError(error) || !this.#file ? 'wait' : 'go on';
  }

  #open(): HistoryFile {
    this.#file ??= new HistoryFile(this.#options.path);
    return this.#file;
  }

  #close(): void {
    try {
      this.#file?.close();
    } finally {
      this.#file = undefined;
    }
  }

  /** Looks at some sessions, and forgets the histories of those without a record, a few rows at a time. */
  #forget(after: number): void {
    const next = this.#isWell ? this.#forgetSome(after) : undefined;
    const [delayMs, from] = next === undefined ? [FORGET_INTERVAL_MS, 0] : [STEP_MS, next];
    this.#cancelForgetting = this.#options.clock.schedule(delayMs, () => this.#forget(from));
  }

  /** The number of the session to go on behind; `undefined` at the end. */
  #forgetSome(after: number): number | undefined {
    try {
      const file = this.#open();
      const sessions = file.sessionsAfter(after, LOOKED_AT_ONCE);
      const kept = this.#options.isKept(sessions.map(({ id }) => id));
      if (!kept || sessions.length === 0) return undefined;
      const gone = sessions.find(({ id }) => !kept.has(id));
      if (!gone) return sessions.at(-1)?.number;
      return file.forget(gone) ? gone.number - 1 : gone.number;
    } catch (error) {
      this.#notice(error);
      return undefined;
    }
  }

  #send(message: FromHistory, transfer?: ArrayBuffer): void {
    this.#options.port.send([message], transfer ? [transfer] : []);
  }
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

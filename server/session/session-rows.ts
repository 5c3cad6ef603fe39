import { ServiceError } from '@runcloud/protocol/terms';
import type { WriteRetryQueue } from '../flow/write-retry-queue.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { SessionPatch, SessionTable } from '../store/session-table.ts';

export interface SessionRowsOptions {
  readonly store: Pick<SessionTable, 'insert' | 'update' | 'get' | 'byIdempotencyKey' | 'forgetIdempotencyKey'>;
  /** Of the store; whoever owns it closes it after these rows. */
  readonly writes: Pick<WriteRetryQueue, 'writeEventually' | 'flush' | 'hasPending' | 'unlessHeldUp'>;
  /** Receives errors of writes that failed or were delayed. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The sessions' records. Records of live sessions are held in memory, so that a connecting socket waits for no disk. A
 * session begins with its row; after that the session runs on even if the database fails, and its row is written when
 * possible.
 */
export class SessionRows {
  readonly #options: SessionRowsOptions;
  /** Of live sessions, and of those whose end is not written yet. */
  readonly #held = new Map<string, SessionRow>();
  /** Changes that are not written yet: one for each session, with all that has happened to it. */
  readonly #unwritten = new Map<string, Change>();

  constructor(options: SessionRowsOptions) {
    this.#options = options;
  }

  /** Begins a session's record. Throws SQLite's errors; then there is no such session. */
  insert(row: SessionRow): void {
    this.#options.writes.flush();
    this.#options.store.insert(row);
    this.#held.set(row.id, row);
  }

  /** Holds the row of a session that goes on. */
  hold(row: SessionRow): void {
    this.#held.set(row.id, row);
  }

  /** Of a live session. */
  live(id: string): SessionRow | undefined {
    return this.#held.get(id);
  }

  find(accountId: string, id: string): SessionRow | undefined {
    const held = this.#held.get(id);
    return held?.accountId === accountId ? held : this.#options.store.get(accountId, id);
  }

  /** The current row, since the database's may be out of date. */
  latest(row: SessionRow): SessionRow {
    return this.#held.get(row.id) ?? row;
  }

  /** The session created with an idempotency key. Throws `store_unavailable` while that is unknown. */
  byIdempotencyKey(accountId: string, key: string): SessionRow | undefined {
    const { store } = this.#options;
    const found = store.byIdempotencyKey(accountId, key);
    if (!found || !this.#options.writes.hasPending(found.id)) return found;
    // Its start may have failed, and its key be about to be released.
    this.#options.writes.flush();
    if (this.#options.writes.hasPending(found.id)) throw unavailable();
    return store.byIdempotencyKey(accountId, key);
  }

  change(id: string, patch: SessionPatch): void {
    this.#write(id, { patch });
  }

  /** The last change of a session that was active. */
  end(id: string, patch: SessionPatch): void {
    this.#write(id, { patch, isLast: true });
  }

  /** The last change of a session that never started: its idempotency key can be used again. */
  giveUp(id: string, patch: SessionPatch): void {
    this.#write(id, { patch, isLast: true, freesKey: true });
  }

  /** Resolves when nothing of the session is left to be written. Rejects with `store_unavailable` when that takes long. */
  async written(id: string): Promise<void> {
    if (!this.#unwritten.has(id)) return;
    this.#options.writes.flush();
    const written = this.#unwritten.get(id)?.written;
    if (!written) return;
    await this.#options.writes.unlessHeldUp(id, written);
    // It takes long, or the end of the process has cut it off.
    if (this.#unwritten.has(id)) throw unavailable();
  }

  #write(id: string, added: Pick<Change, 'patch'> & Partial<Change>): void {
    const row = this.#held.get(id);
    if (row) this.#held.set(id, { ...row, ...added.patch });
    const waiting = this.#unwritten.get(id);
    if (waiting) {
      Object.assign(waiting, added, { patch: { ...waiting.patch, ...added.patch } });
      return;
    }
    const change: Change = { isLast: false, freesKey: false, written: Promise.resolve(), ...added };
    this.#unwritten.set(id, change);
    change.written = this.#options.writes
      .writeEventually(id, () => this.#make(id, change))
      .catch((error) => {
        // Changes that the end of the process cuts off are written at the next start.
        if (error instanceof ServiceError) return;
        this.#over(id, change);
        this.#options.onFault(error);
      });
  }

  #make(id: string, change: Change): void {
    const { store } = this.#options;
    store.update(id, change.patch);
    if (change.freesKey) store.forgetIdempotencyKey(id);
    this.#over(id, change);
  }

  #over(id: string, { isLast }: Change): void {
    this.#unwritten.delete(id);
    if (isLast) this.#held.delete(id);
  }
}

/** A change of a session's row that is not written yet. */
interface Change {
  patch: SessionPatch;
  /** Nothing more happens to the session. */
  isLast: boolean;
  freesKey: boolean;
  /** Settles when it is written, given up, or cut off by the end of the process; never rejects. */
  written: Promise<void>;
}

const unavailable = () => new ServiceError('store_unavailable', undefined, { retryAfterSeconds: 1 });

import { randomUUID } from 'node:crypto';
import type { Clock } from '../flow/clock.ts';
import { every } from '../flow/every.ts';
import type { RowChange, RowChanges, RowName } from '../store/row-changes.ts';
import { RowsChanged } from '../store/rows-changed.ts';
import type { Replication } from '../store/store.ts';
import { unavailable } from '../store/unavailable.ts';
import type { RowsSince, SharedRows } from './shared-rows.ts';

/** How soon what another process has written is here. */
const PULL_INTERVAL_MS = 500;
/** How long a write is tried while the database cannot be reached, and how soon again. */
const WRITE_MS_MAX = 3_000;
const WRITE_RETRY_MS = 100;
/** Without a look at the database for so long, this process has stood still: what it knows may be old. */
const LOOK_MS_MAX = 5_000;
/** How long what is known is trusted while the database cannot be reached. */
const TRUST_MS = 60_000;

export interface ReplicaOptions {
  readonly rows: SharedRows;
  readonly changes: RowChanges;
  readonly clock: Clock;
  /** Told when the database cannot be reached any more, and when it can again. */
  readonly onReached: (isReached: boolean, error?: unknown) => void;
  /** Told when others have changed rows of these tables, or changes of this process were taken back. */
  readonly onChanged: (tables: ReadonlySet<string>) => void;
  readonly onFault: (error: unknown) => void;
}

/** Classes of errors of PostgreSQL that pass by themselves: of the connection, a standby, a shutdown, a conflict, and too little of something. */
const PASSING = /^(?:08|25|40|53|55|57)/;
/** Whether the same may succeed soon; what the database says of the data itself is final. */
const mayPass = (error: unknown): boolean => {
  const { code } = error as { readonly code?: unknown };
  return typeof code !== 'string' || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code) || PASSING.test(code);
};

/** A push that has not begun. */
interface Push {
  readonly done: Promise<void>;
  /** Why it fails: what it was to push has been taken back. */
  failure?: Error;
}

/**
 * Keeps the shared tables of this process's database equal to those of the fleet's. What is written here is true once `pushed`
 * resolves; what the fleet's database refuses, or cannot be told, is taken back here. What others write arrives within
 * `PULL_INTERVAL_MS`.
 */
export class Replica implements Replication {
  readonly #options: ReplicaOptions;
  #revision = 0;
  /** Pushes and pulls run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  #next: Push | undefined;
  #isPushing = false;
  #isPullDue = false;
  #isReached = true;
  /** Monotonic times: of the last look at the database, and of the last one that it answered. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #reachedMs = Number.NEGATIVE_INFINITY;
  #stopPulls: () => void = () => undefined;
  #hasBegun = false;
  #isClosed = false;

  constructor(options: ReplicaOptions) {
    this.#options = options;
  }

  /**
   * Loads the fleet's rows, or gives it the ones that are here when it has none; no other process begins before `begun`. Rejects when the
   * database cannot be reached.
   */
  async begin(): Promise<void> {
    const { rows, changes, clock } = this.#options;
    await rows.begin(changes.shapes);
    const name = await rows.name();
    const read = await rows.since(0);
    const mine = changes.all();
    const isOwn = changes.origin !== name && mine.some(({ table }) => table === 'account');
    if (read.revision > 0 && isOwn) {
      throw new Error(
        'this edge has accounts of its own, which the database does not: give it an empty RUNCLOUD_DATA_DIR, or an empty database that takes them over',
      );
    }
    this.#take(read);
    if (read.revision === 0 && mine.length > 0) {
      const all = mine.map(({ table, key, content }) => ({ table, key, before: null, after: content }));
      this.#revision = await rows.write(all, 0, randomUUID());
      // They stand among what was written here, too.
      changes.take();
    }
    changes.origin = name;
    this.#looked(undefined);
    this.#stopPulls = every(clock, PULL_INTERVAL_MS, () => this.#pullSoon());
  }

  /** Lets other processes begin. What was written so far is kept by then. */
  async begun(): Promise<void> {
    await this.pushed();
    await this.#options.rows.begun();
    this.#hasBegun = true;
  }

  /**
   * Resolves when the fleet's database keeps everything that was written here before the call. Rejects with `RowsChanged` when
   * somebody else was faster, and with `store_unavailable`; then it is taken back.
   */
  pushed(): Promise<void> {
    if (this.#isClosed) return Promise.reject(unavailable());
    // Nothing was written, and nothing is on its way.
    if (!this.#next && !this.#isPushing && !this.#options.changes.isAny) return Promise.resolve();
    if (!this.#next) {
      const push: Push = { done: this.#inTurn(() => this.#push(push)) };
      this.#next = push;
    }
    return this.#next.done;
  }

  /**
   * Whether other processes may begin. Until then, what is written here is of this process's start alone: when somebody is
   * faster with something else, all that was written since is taken back with it.
   */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Whether the database answered when it was last asked. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** Whether credentials may be judged by what is known here: it is not old, and while nobody answers, not older than a minute. */
  get isTrusted(): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    return nowMs - this.#lookedMs <= LOOK_MS_MAX && nowMs - this.#reachedMs <= TRUST_MS;
  }

  /** Pushes what nobody has waited for. */
  async close(): Promise<void> {
    this.#stopPulls();
    // Without a look there is nothing to push to.
    if (this.#revision > 0) await this.pushed().catch(() => undefined);
    this.#isClosed = true;
    await this.#turn;
    await this.#options.rows.close();
    this.#options.changes.close();
  }

  async #push(push: Push): Promise<void> {
    if (push.failure) throw push.failure;
    this.#next = undefined;
    const { changes } = this.#options;
    const batch = changes.take();
    if (batch.length === 0) return;
    this.#isPushing = true;
    try {
      const revision = await this.#write(batch);
      // Otherwise others have written in between.
      if (revision === this.#revision + 1) this.#revision = revision;
    } catch (error) {
      const failure = error instanceof RowsChanged ? error : unavailable();
      this.#undo(batch, failure);
      // What was changed is newer than what is here.
      if (error instanceof RowsChanged) await this.#pull();
      throw failure;
    } finally {
      this.#isPushing = false;
    }
  }

  /** Tries for a while: a database that is restarted is back soon, and a write that it kept after all is kept once. */
  async #write(batch: readonly RowChange[]): Promise<number> {
    const { rows, clock } = this.#options;
    const id = randomUUID();
    const deadlineMs = clock.monotonicMs() + WRITE_MS_MAX;
    for (;;) {
      try {
        const revision = await rows.write(batch, this.#revision, id);
        this.#looked(undefined);
        return revision;
      } catch (error) {
        if (error instanceof RowsChanged) throw error;
        this.#looked(error);
        if (!mayPass(error) || this.#isClosed || clock.monotonicMs() > deadlineMs) throw error;
        await new Promise<void>((resolve) => void clock.schedule(WRITE_RETRY_MS, resolve));
      }
    }
  }

  /** Takes back a batch, and what was written since. */
  #undo(batch: readonly RowChange[], failure: Error): void {
    const { changes, onFault } = this.#options;
    if (this.#next) this.#next.failure = failure;
    this.#next = undefined;
    const undone = [...batch, ...changes.take()];
    try {
      changes.undo(undone);
    } catch (error) {
      onFault(error);
      // The next pull reads every row, and so restores them.
      this.#revision = 0;
    }
    this.#tell(undone);
  }

  #pullSoon(): void {
    if (this.#isPullDue) return;
    this.#isPullDue = true;
    // What nobody waits for goes first.
    this.pushed()
      .catch(() => undefined)
      .then(() => this.#inTurn(() => this.#pull()))
      .catch((error) => this.#options.onFault(error))
      .finally(() => {
        this.#isPullDue = false;
      });
  }

  async #pull(): Promise<void> {
    let read: RowsSince;
    try {
      read = await this.#options.rows.since(this.#revision);
    } catch (error) {
      this.#looked(error);
      return;
    }
    this.#looked(undefined);
    try {
      this.#take(read);
    } catch (error) {
      // This disk may be full, or locked by another program: the next pull tries it again.
      this.#options.onFault(error);
    }
  }

  /** Takes over what others have written. */
  #take({ rows, revision, isWhole }: RowsSince): void {
    const { changes } = this.#options;
    if (rows.length > 0) {
      // What was written here since may be based on what is not true any more.
      if (changes.isAny && (isWhole || changes.touch(rows))) this.#undo([], new RowsChanged());
      if (isWhole) changes.keepOnly(rows);
      try {
        changes.apply(rows);
      } catch (error) {
        if (!changes.isAny) throw error;
        // It may have what only one row can have, such as a name.
        this.#undo([], new RowsChanged());
        changes.apply(rows);
      }
      this.#tell(rows);
    }
    this.#revision = revision;
  }

  #tell(rows: readonly RowName[]): void {
    this.#options.onChanged(new Set(rows.map(({ table }) => table)));
  }

  #looked(error: unknown): void {
    const nowMs = this.#options.clock.monotonicMs();
    this.#lookedMs = nowMs;
    const isReached = error === undefined;
    if (isReached) this.#reachedMs = nowMs;
    if (isReached === this.#isReached) return;
    this.#isReached = isReached;
    this.#options.onReached(isReached, error);
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(task);
    this.#turn = done.catch(() => undefined);
    return done;
  }
}

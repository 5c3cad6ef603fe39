import type { Clock } from '../flow/clock.ts';
import { isStorageError, isStorageLocked, type Running } from '../flow/storage-errors.ts';
import type { Port } from '../link/messages.ts';
import { AccountTable } from './account-table.ts';
import { AssetTable } from './asset-table.ts';
import { openDatabase } from './database.ts';
import { DeviceAuthorizationTable } from './device-authorization-table.ts';
import { DurableLog, SYNC_MS_MAX } from './durable-log.ts';
import { type EndedKind, endedKinds } from './ended-rows.ts';
import { FleetHostTable } from './fleet-host-table.ts';
import { HostSessionTable } from './host-session-table.ts';
import { KeyTable } from './key-table.ts';
import type { LogOrder, LogReport } from './log-messages.ts';
import { OneTimeLinkTable } from './one-time-link-table.ts';
import { OutboxTable } from './outbox-table.ts';
import { PasswordTable } from './password-table.ts';
import { RecordingEventTable } from './recording-event-table.ts';
import { RecordingTable } from './recording-table.ts';
import { rewriteLog } from './rewrite-log.ts';
import { RowChanges } from './row-changes.ts';
import { RowsChanged } from './rows-changed.ts';
import { SecretTable } from './secret-table.ts';
import { SessionTable } from './session-table.ts';
import { SignInTable } from './sign-in-table.ts';
import { SnapshotTable } from './snapshot-table.ts';
import { TokenTable } from './token-table.ts';
import { unavailable } from './unavailable.ts';
import { UsageTable } from './usage-table.ts';
import { ViewerLinkTable } from './viewer-link-table.ts';
import { WriteGate } from './write-gate.ts';

/** How long a statement of a server waits for another process's lock; the thread that serves everybody waits with it. */
export const SERVING_BUSY_TIMEOUT_MS = 10;

/** Tells a store that shares its accounts and uploads with other processes when what it has written is kept by all of them. */
export interface Replication {
  /** Rejects with `RowsChanged` or `store_unavailable`, when all that was written since the last push is taken back. */
  pushed(): Promise<void>;
  /** Whether what the store has is new enough to judge credentials by it. */
  readonly isTrusted: boolean;
}

/** How often a task is run that others were faster than. */
const RUNS_MAX = 4;

/**
 * How a server has its database: no write waits for long for another process, and none for the disk but the first one after the
 * whole log was moved into the database's file, with which SQLite puts the head of the new log on disk.
 */
export interface Served {
  readonly clock: Clock;
  /** Starts the thread that waits for the disk, once the log is there. */
  readonly startLog: (path: string) => Port<LogOrder, LogReport>;
  /** Told once when the disk has failed to keep what it was given; until the end of the process nothing can be promised. */
  readonly onFailed: (reason: string) => void;
  /** Told of trouble that passes, or that nobody waits for; tells `notice` of it in turn, as of all that is met elsewhere. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * The open database and its tables, for one owner that closes it. There is one way to write: a write is there for everybody
 * when its call returns, and stays when the process is killed; it survives a power cut when `durable` resolves.
 */
export class Store {
  readonly accounts: AccountTable;
  readonly assets: AssetTable;
  readonly snapshots: SnapshotTable;
  readonly keys: KeyTable;
  readonly secrets: SecretTable;
  readonly sessions: SessionTable;
  readonly viewerLinks: ViewerLinkTable;
  readonly recordings: RecordingTable;
  readonly recordingEvents: RecordingEventTable;
  readonly passwords: PasswordTable;
  readonly oneTimeLinks: OneTimeLinkTable;
  readonly signIns: SignInTable;
  readonly deviceAuthorizations: DeviceAuthorizationTable;
  readonly tokens: TokenTable;
  readonly usage: UsageTable;
  readonly fleetHosts: FleetHostTable;
  readonly hostSessions: HostSessionTable;
  readonly #path: string;
  readonly #database;
  readonly #dataVersion;
  readonly #changes;
  readonly #served: Served | undefined;
  readonly #log: DurableLog | undefined;
  readonly #gate: WriteGate | undefined;
  #replication: Replication | undefined;

  /**
   * Opens the database at `path` as `openDatabase` does, errors included.
   * @param served absent for a program that does one thing and ends: each write of it is on disk when its call returns
   */
  constructor(path: string, served?: Served) {
    this.#path = path;
    this.#database = openDatabase(path, served ? 'NORMAL' : 'FULL');
    this.accounts = new AccountTable(this.#database);
    this.assets = new AssetTable(this.#database);
    this.snapshots = new SnapshotTable(this.#database);
    this.keys = new KeyTable(this.#database);
    this.secrets = new SecretTable(this.#database);
    this.sessions = new SessionTable(this.#database);
    this.viewerLinks = new ViewerLinkTable(this.#database);
    this.recordingEvents = new RecordingEventTable(this.#database);
    this.recordings = new RecordingTable(this.#database, this.recordingEvents);
    this.passwords = new PasswordTable(this.#database);
    this.oneTimeLinks = new OneTimeLinkTable(this.#database);
    this.signIns = new SignInTable(this.#database);
    this.deviceAuthorizations = new DeviceAuthorizationTable(this.#database);
    this.tokens = new TokenTable(this.#database);
    this.usage = new UsageTable(this.#database);
    this.fleetHosts = new FleetHostTable(this.#database);
    this.hostSessions = new HostSessionTable(this.#database);
    this.#dataVersion = this.#database.prepare<[], number>('PRAGMA data_version').pluck();
    this.#changes = this.#database.prepare<[], number>('SELECT total_changes()').pluck();
    this.#served = served;
    if (!served) return;
    const { clock, onFailed, onTrouble } = served;
    // After this, everything that is read is on disk, even if the last process ended because of a disk failure.
    rewriteLog(this.#database, path);
    // The log thread makes checkpoints: with automatic ones, a commit would have to wait for them.
    this.#database.pragma('wal_autocheckpoint = 0');
    // Truncates the log at a checkpoint, so that the next start reads it quickly.
    this.#database.pragma('journal_size_limit = 0');
    const onHeldUp = (reason: string) => onTrouble(new Error(`the log cannot be moved into the database: ${reason}`));
    this.#log = new DurableLog({ port: served.startLog(path), clock, onFailed, onHeldUp });
    this.#gate = new WriteGate({
      clock,
      isLocked: () => this.#isLocked(),
      onShut: (shut) => this.#waitAtMost(shut ? 0 : SERVING_BUSY_TIMEOUT_MS),
    });
  }

  /** Notes from now on which sessions and recordings change. */
  openOutbox(): OutboxTable {
    return new OutboxTable(this.#database);
  }

  /** Opens what notes and writes the rows that this store shares with other processes. */
  openChanges(): RowChanges {
    const other = openDatabase(this.#path);
    // As for the store's own connection: the log thread makes the checkpoints.
    if (this.#served) other.pragma('wal_autocheckpoint = 0');
    return new RowChanges(this.#database, other, () => this.keys.startOver());
  }

  /** From now on, what is written is acknowledged only when other processes have it too. */
  replicate(replication: Replication): void {
    this.#replication = replication;
  }

  /** Throws `store_unavailable` while what is known of credentials may be too old to judge by it. */
  refuseOld(): void {
    if (this.#replication && !this.#replication.isTrusted) throw unavailable();
  }

  /** From now on others are served: no statement holds up the thread for longer than `SERVING_BUSY_TIMEOUT_MS`. */
  beginService(): void {
    this.#waitAtMost(SERVING_BUSY_TIMEOUT_MS);
  }

  /** Why nothing that is written can be promised until the process is started anew. */
  get failure(): string | undefined {
    return this.#log?.failure;
  }

  /**
   * Resolves when everything that was written before the call survives a power cut. Rejects with `store_unavailable` when
   * the disk has failed or stalls for longer than `limitMs`. Whoever acknowledges a write waits for this first.
   */
  async durable(limitMs = SYNC_MS_MAX): Promise<void> {
    if (this.#database.inTransaction) throw new Error('a change that is not committed cannot be durable');
    // The other database has put it on disk, and this one is filled from it.
    if (this.#replication) await this.#replication.pushed();
    else await this.#log?.durable(this.#changes.get() ?? 0, limitMs);
  }

  /**
   * Runs a task that writes, and gives its outcome when all of that survives a power cut. Rejects with `store_unavailable`
   * within half a second when another process holds the database for that long, when the disk has failed, and with what the
   * task fails with.
   */
  async commit<T>(task: () => T | Promise<T>, how: Running = 'again'): Promise<T> {
    for (let runs = 1; ; runs++) {
      const outcome = await this.#run(task, how);
      try {
        await this.durable();
        return outcome;
      } catch (error) {
        if (!(error instanceof RowsChanged)) throw error;
        if (how === 'at once' || runs === RUNS_MAX) throw unavailable();
      }
    }
  }

  /**
   * Runs a task that writes and that nobody waits for. False when the storage is in trouble, which is told to the log:
   * whoever wants it written tries again later.
   */
  attempt(task: () => void): boolean {
    try {
      task();
      return true;
    } catch (error) {
      if (!isStorageError(error)) throw error;
      this.#served?.onTrouble(error);
      return false;
    }
  }

  /** Somebody has met this error, whatever it is: when it is a lock, those who come next wait off the thread. */
  notice(error: unknown): void {
    if (isStorageLocked(error)) this.#gate?.shut();
  }

  /** Runs `task` in one transaction under the write lock: all of it is kept or, when it throws, nothing. */
  atomically<T>(task: () => T): T {
    return this.#database.transaction(task).immediate();
  }

  /**
   * Runs `task` in one transaction, as `atomically` does, for whoever can do it later as well: while another process holds
   * the database, nothing is run, nobody waits, and `undefined` is given.
   */
  whenFree<T>(task: () => T): T | undefined {
    const waitMs = this.#database.pragma('busy_timeout', { simple: true });
    this.#database.pragma('busy_timeout = 0');
    try {
      return this.atomically(task);
    } catch (error) {
      if (isStorageLocked(error)) return undefined;
      throw error;
    } finally {
      this.#database.pragma(`busy_timeout = ${waitMs}`);
    }
  }

  /** The kinds of ended rows that are deleted over time; see `endedKinds`. */
  ended(): readonly EndedKind[] {
    return endedKinds(this.#database);
  }

  /** Changes when another connection, of this process or another, has committed since the last call. */
  dataVersion(): number {
    return this.#dataVersion.get() ?? 0;
  }

  /** How SQLite keeps commits: 1 is NORMAL, 2 is FULL. */
  get synchronous(): unknown {
    return this.#database.pragma('synchronous', { simple: true });
  }

  /** Ends the thread, then closes; nothing of the store is left when this resolves. */
  async end(): Promise<void> {
    await this.#log?.close();
    this.close();
  }

  /** Closes a store that has no thread, or whose thread has ended. */
  close(): void {
    this.#gate?.open();
    this.#database.close();
  }

  async #run<T>(task: () => T | Promise<T>, how: Running): Promise<T> {
    if (how === 'at once' || !this.#gate) return task();
    if (this.failure !== undefined) throw unavailable();
    return this.#gate.through(task);
  }

  #waitAtMost(timeoutMs: number): void {
    this.#database.pragma(`busy_timeout = ${timeoutMs}`);
  }

  #isLocked(): boolean {
    try {
      this.#database.exec('BEGIN IMMEDIATE; ROLLBACK');
      return false;
    } catch (error) {
      // Other trouble is for whoever writes next.
      return isStorageLocked(error);
    }
  }
}

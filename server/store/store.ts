import { AccountTable } from './account-table.ts';
import { AssetTable } from './asset-table.ts';
import { openDatabase } from './database.ts';
import { KeyTable } from './key-table.ts';
import { RecordingEventTable } from './recording-event-table.ts';
import { RecordingTable } from './recording-table.ts';
import { SecretTable } from './secret-table.ts';
import { SessionTable } from './session-table.ts';
import { ViewerLinkTable } from './viewer-link-table.ts';

/** The open database and its tables, for one owner that closes it. */
export class Store {
  readonly accounts: AccountTable;
  readonly assets: AssetTable;
  readonly keys: KeyTable;
  readonly secrets: SecretTable;
  readonly sessions: SessionTable;
  readonly viewerLinks: ViewerLinkTable;
  /** Every write of these two is on disk when its call returns. */
  readonly recordings: RecordingTable;
  readonly recordingEvents: RecordingEventTable;
  readonly #database;
  /** A connection of its own, so that only recordings pay for waiting for the disk. */
  readonly #durable;
  readonly #dataVersion;

  /** Opens the database at `path` as `openDatabase` does, errors included. */
  constructor(path: string) {
    this.#database = openDatabase(path);
    this.accounts = new AccountTable(this.#database);
    this.assets = new AssetTable(this.#database);
    this.keys = new KeyTable(this.#database);
    this.secrets = new SecretTable(this.#database);
    this.sessions = new SessionTable(this.#database);
    this.viewerLinks = new ViewerLinkTable(this.#database);
    this.#durable = openDatabase(path, 'FULL');
    this.recordingEvents = new RecordingEventTable(this.#durable);
    this.recordings = new RecordingTable(this.#durable, this.recordingEvents);
    this.#dataVersion = this.#database.prepare<[], number>('PRAGMA data_version').pluck();
  }

  /**
   * Runs `task` in one transaction under the write lock: all of it is kept or, when it throws, nothing. Recordings must
   * not be written within: their connection would wait for this one.
   */
  atomically<T>(task: () => T): T {
    return this.#database.transaction(task).immediate();
  }

  /** Differs from the answer before when another connection, of this process or another, has committed since. */
  dataVersion(): number {
    return this.#dataVersion.get() ?? 0;
  }

  close(): void {
    this.#durable.close();
    this.#database.close();
  }
}

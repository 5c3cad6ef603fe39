import type { Platform } from '@runcloud/protocol';
import type { Page, Span } from '../flow/page.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';

/** A snapshot of an account. */
export interface SnapshotRow {
  /** Also the name of its file. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly platform: Platform;
  readonly model: string;
  readonly driver: string;
  /** The device that alone can begin with it, by its name on the host; `null` where any of the model and driver can. */
  readonly onlyOn: string | null;
  readonly sessionId: string;
  readonly byteSize: number;
  /** SHA-256 of the file, 64 hex digits. */
  readonly checksum: string;
  readonly createdAtMs: number;
}

const COLUMNS = `id, account_id AS accountId, name, platform, model, driver, only_on AS onlyOn, session_id AS sessionId,
  byte_size AS byteSize, checksum, created_at_ms AS createdAtMs`;

/** Snapshots. Every look-up carries the account. */
export class SnapshotTable {
  readonly #insert;
  readonly #remove;
  readonly #get;
  readonly #list;
  readonly #held;
  readonly #ids;

  constructor(database: Database) {
    this.#insert = database.prepare<[SnapshotRow]>(
      `INSERT INTO snapshot
         (id, account_id, name, platform, model, driver, only_on, session_id, byte_size, checksum, created_at_ms)
       VALUES (@id, @accountId, @name, @platform, @model, @driver, @onlyOn, @sessionId, @byteSize, @checksum, @createdAtMs)`,
    );
    this.#remove = database.prepare<[string, string]>('DELETE FROM snapshot WHERE account_id = ? AND id = ?');
    this.#get = database.prepare<[string, string], SnapshotRow>(
      `SELECT ${COLUMNS} FROM snapshot WHERE account_id = ? AND name = ?`,
    );
    this.#list = database.prepare<[SpanParameters & { accountId: string }], SnapshotRow & Placed>(
      `SELECT ${COLUMNS}, ${NUMBER('snapshot')} FROM snapshot WHERE account_id = @accountId AND ${SPAN('snapshot')}`,
    );
    this.#held = database.prepare<[string], { count: number; bytes: number }>(
      'SELECT count(*) AS count, coalesce(sum(byte_size), 0) AS bytes FROM snapshot WHERE account_id = ?',
    );
    this.#ids = database.prepare<[], string>('SELECT id FROM snapshot').pluck();
  }

  insert(row: SnapshotRow): void {
    this.#insert.run(row);
  }

  remove(accountId: string, id: string): void {
    this.#remove.run(accountId, id);
  }

  get(accountId: string, name: string): SnapshotRow | undefined {
    return this.#get.get(accountId, name);
  }

  /** The account's snapshots, newest first. */
  list(accountId: string, span: Span): Page<SnapshotRow> {
    return toPage(this.#list.all({ accountId, ...spanParameters(span) }), span, (row) => row as SnapshotRow);
  }

  /** How many the account has, and their bytes. */
  held(accountId: string): { readonly count: number; readonly bytes: number } {
    return this.#held.get(accountId) ?? { count: 0, bytes: 0 };
  }

  /** Of every snapshot there is. */
  ids(): string[] {
    return this.#ids.all();
  }
}

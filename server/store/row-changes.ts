import { NEXT_REVISION } from './key-table.ts';
import type { Database } from './sqlite.ts';

/** A row by its columns. Binary columns are upper-case hex digits. */
export type Content = Readonly<Record<string, string | number | null>>;

export interface RowName {
  readonly table: string;
  /** Value of the table's key column. */
  readonly key: string;
}

/** What a row holds; `null` where there is no such row. */
export interface RowContent extends RowName {
  readonly content: Content | null;
}

export interface RowChange extends RowName {
  readonly before: Content | null;
  readonly after: Content | null;
}

/** What another database has to know of a table in order to keep its rules. */
export interface TableShape {
  readonly name: string;
  readonly keyColumn: string;
  /** Columns of which no two rows have the same value. */
  readonly uniques: readonly { readonly column: string; readonly isCaseless: boolean }[];
  /** Columns that hold the key of another table's row. */
  readonly parents: readonly { readonly column: string; readonly table: string }[];
}

/** The tables of accounts, uploads, hosts and what these have told: what all edges of a fleet have in common. A table comes after those that it refers to. */
const SHARED_TABLES = [
  'account',
  'api_key',
  'secret',
  'password',
  'one_time_link',
  'dashboard_sign_in',
  'device_authorization',
  'token_grant',
  'token',
  'asset_content',
  'asset',
  'fleet_host',
  'host_session',
  'host_recording',
  'host_report',
] as const;

/**
 * Columns that each database fills by itself. Whoever follows the numbers of changed keys in one database must find there each
 * key that another process made or revoked.
 */
const OWN_COLUMNS: Readonly<Record<string, { readonly column: string; readonly next: string; readonly when: string }>> =
  {
    api_key: {
      column: 'revision',
      next: NEXT_REVISION,
      when: 'api_key.revoked_at_ms IS NOT excluded.revoked_at_ms',
    },
  };

interface Column {
  readonly name: string;
  readonly isBinary: boolean;
}

interface Changed extends RowName {
  readonly before: string | null;
}

type Value = string | number | null | Buffer;

const nameOf = ({ table, key }: RowName): string => `${table} ${key}`;

/**
 * Follows what one connection writes to the shared tables, takes it back, and writes what others have written, by a second
 * connection: to everybody who follows the database, that is another process's write.
 */
export class RowChanges {
  readonly shapes: readonly TableShape[];
  readonly #tables: ReadonlyMap<string, SharedTable>;
  readonly #own: Database;
  readonly #other: Database;
  readonly #changed;
  readonly #isChanged;
  readonly #forget;
  readonly #onTakenBack: () => void;

  /**
   * @param other another connection to the database of `own`; it is closed with this
   * @param onTakenBack called when rows have become what they were before
   */
  constructor(own: Database, other: Database, onTakenBack: () => void) {
    this.#onTakenBack = onTakenBack;
    this.#own = own;
    this.#other = other;
    own.exec(
      'CREATE TEMP TABLE changed_row ("table" TEXT NOT NULL, "key" TEXT NOT NULL, before TEXT, PRIMARY KEY ("table", "key"))',
    );
    const tables = SHARED_TABLES.map((name) => new SharedTable(name, own, other));
    this.#tables = new Map(tables.map((table) => [table.shape.name, table]));
    this.shapes = tables.map(({ shape }) => shape);
    this.#changed = own.prepare<[], Changed>('SELECT "table", "key", before FROM changed_row ORDER BY rowid');
    this.#isChanged = own.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM changed_row)').pluck();
    this.#forget = own.prepare<[]>('DELETE FROM changed_row');
  }

  /**
   * What was written since the last call, by each row's first and last content. A row that was written as it was stands among them: what
   * was written beside it relies on it.
   */
  take(): RowChange[] {
    return this.#own.transaction(() => {
      const changed = this.#changed.all();
      if (changed.length > 0) this.#forget.run();
      return changed.map(({ table, key, before }): RowChange => {
        const after = this.#tables.get(table)?.read(key) ?? null;
        return { table, key, before: parsed(before), after: parsed(after) };
      });
    })();
  }

  /** Whether something was written since the last `take`. */
  get isAny(): boolean {
    return this.#isChanged.get() === 1;
  }

  /** Whether one of these rows was written since the last `take`. */
  touch(rows: readonly RowName[]): boolean {
    const names = new Set(this.#changed.all().map(nameOf));
    return rows.some((row) => names.has(nameOf(row)));
  }

  /** Restores what the rows held before. The changes are in the order in which they were made. */
  undo(changes: readonly RowChange[]): void {
    this.#write(changes.toReversed().map(({ table, key, before }) => ({ table, key, content: before })));
    this.#onTakenBack();
  }

  /** Writes what the rows hold elsewhere; unknown tables and columns are left out. */
  apply(rows: readonly RowContent[]): void {
    this.#write(rows);
  }

  /** All rows of the shared tables, a row after those that it refers to. */
  all(): RowContent[] {
    return [...this.#tables.values()].flatMap((table) => table.all());
  }

  /** Deletes the rows that are not among these. */
  keepOnly(rows: readonly RowName[]): void {
    const kept = new Set(rows.map(nameOf));
    const gone = this.all().filter((row) => !kept.has(nameOf(row)));
    this.#write(gone.toReversed().map(({ table, key }) => ({ table, key, content: null })));
    this.#onTakenBack();
  }

  /** The database that the rows are a copy of; absent for rows that were made here. */
  get origin(): string | undefined {
    return this.#other.prepare<[], string>('SELECT database FROM replica_of').pluck().get();
  }

  set origin(database: string) {
    this.#other.exec('DELETE FROM replica_of');
    this.#other.prepare<[string]>('INSERT INTO replica_of (database) VALUES (?)').run(database);
  }

  close(): void {
    this.#other.close();
  }

  #write(rows: readonly RowContent[]): void {
    if (rows.length === 0) return;
    const write = (isAnew: boolean) =>
      this.#other
        .transaction(() => {
          // A row may come before the one that it refers to.
          this.#other.pragma('defer_foreign_keys = ON');
          if (isAnew) for (const { table, key } of rows) this.#tables.get(table)?.write(key, null);
          for (const { table, key, content } of rows) this.#tables.get(table)?.write(key, content);
        })
        .immediate();
    try {
      write(false);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
      // One row has what another one had before, and comes first.
      write(true);
    }
  }
}

const parsed = (json: string | null): Content | null => (json === null ? null : JSON.parse(json));

/** A shared table by two connections: changes of the first are noted, the second one writes unnoted. */
class SharedTable {
  readonly shape: TableShape;
  readonly #columns: readonly Column[];
  readonly #read;
  readonly #all;
  readonly #readOther;
  readonly #insert;
  readonly #update;
  readonly #delete;

  constructor(name: string, own: Database, other: Database) {
    const info = own.pragma(`table_info(${name})`) as { name: string; type: string; pk: number }[];
    const ownColumn = OWN_COLUMNS[name];
    const keyColumn = info.find(({ pk }) => pk === 1)?.name ?? '';
    this.#columns = info
      .filter((column) => column.name !== ownColumn?.column)
      .map((column) => ({ name: column.name, isBinary: column.type === 'BLOB' }));
    const names = this.#columns.map((column) => column.name);
    this.shape = {
      name,
      keyColumn,
      uniques: uniquesOf(name, own).filter(({ column }) => column !== ownColumn?.column),
      parents: (own.pragma(`foreign_key_list(${name})`) as { from: string; table: string }[]).map(
        ({ from: column, table }) => ({ column, table }),
      ),
    };
    const asJson = (row: string) =>
      `json_object(${this.#columns
        .map(({ name: column, isBinary }) => {
          const value = `${row}.${column}`;
          return `'${column}', ${isBinary ? `CASE WHEN ${value} IS NOT NULL THEN hex(${value}) END` : value}`;
        })
        .join(', ')})`;
    const note = (event: string, row: 'OLD' | 'NEW', before: string) =>
      own.exec(
        `CREATE TEMP TRIGGER ${name}_${event} AFTER ${event} ON main.${name} BEGIN
           INSERT INTO changed_row ("table", "key", before) SELECT '${name}', ${row}.${keyColumn}, ${before}
           WHERE NOT EXISTS (SELECT 1 FROM changed_row WHERE "table" = '${name}' AND "key" = ${row}.${keyColumn});
         END`,
      );
    note('INSERT', 'NEW', 'NULL');
    note('UPDATE', 'OLD', asJson('OLD'));
    note('DELETE', 'OLD', asJson('OLD'));
    const read = `SELECT ${asJson(name)} FROM ${name}`;
    this.#read = own.prepare<[string], string>(`${read} WHERE ${keyColumn} = ?`).pluck();
    this.#readOther = other.prepare<[string], string>(`${read} WHERE ${keyColumn} = ?`).pluck();
    this.#all = own.prepare<[], { key: string; content: string }>(
      `SELECT ${keyColumn} AS "key", ${asJson(name)} AS content FROM ${name} ORDER BY rowid`,
    );
    const [next, values] = ownColumn ? [[ownColumn.column], [ownColumn.next]] : [[], []];
    this.#insert = other.prepare<Value[]>(
      `INSERT INTO ${name} (${[...names, ...next].join(', ')})
       VALUES (${[...names.map(() => '?'), ...values].join(', ')})`,
    );
    const news = names.map((column) => `? AS ${column}`).join(', ');
    const ownSet = ownColumn
      ? [`${ownColumn.column} = CASE WHEN ${ownColumn.when} THEN ${ownColumn.next} ELSE ${ownColumn.column} END`]
      : [];
    this.#update = other.prepare<Value[]>(
      `UPDATE ${name} SET ${[...names.map((column) => `${column} = excluded.${column}`), ...ownSet].join(', ')}
       FROM (SELECT ${news}) AS excluded WHERE ${name}.${keyColumn} = excluded.${keyColumn}`,
    );
    this.#delete = other.prepare<[string]>(`DELETE FROM ${name} WHERE ${keyColumn} = ?`);
  }

  /** JSON of the row, as the first connection sees it. */
  read(key: string): string | undefined {
    return this.#read.get(key);
  }

  all(): RowContent[] {
    return this.#all.all().map(({ key, content }) => ({ table: this.shape.name, key, content: parsed(content) ?? {} }));
  }

  write(key: string, content: Content | null): void {
    if (content === null) {
      this.#delete.run(key);
      return;
    }
    const held = this.#readOther.get(key);
    const values = this.#columns.map(({ name, isBinary }): Value => {
      const value = content[name] ?? null;
      return isBinary && typeof value === 'string' ? Buffer.from(value, 'hex') : value;
    });
    if (held === undefined) this.#insert.run(...values);
    else if (!isSame(parsed(held), content)) this.#update.run(...values);
  }
}

/** Whether the first has nothing that the second has otherwise. */
const isSame = (held: Content | null, content: Content): boolean =>
  Object.entries(held ?? {}).every(([column, value]) => (content[column] ?? null) === value);

function uniquesOf(table: string, database: Database): TableShape['uniques'] {
  const indexes = database.pragma(`index_list(${table})`) as { name: string; origin: string }[];
  return indexes
    .filter(({ origin }) => origin === 'u')
    .flatMap(({ name }) => {
      const columns = database.pragma(`index_xinfo(${name})`) as { name: string; coll: string; key: number }[];
      return columns
        .filter(({ key }) => key === 1)
        .map(({ name: column, coll }) => ({ column, isCaseless: coll === 'NOCASE' }));
    });
}

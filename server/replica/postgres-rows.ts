import pg from 'pg';
import type { RowChange, TableShape } from '../store/row-changes.ts';
import { RowsChanged } from '../store/rows-changed.ts';
import type { RowsSince, SharedRows } from './shared-rows.ts';

const CONNECT_MS_MAX = 2_000;
/** Less than an edge may go without a look at the database. */
const QUERY_MS_MAX = 2_500;
/** How long a start waits for another process's, which takes a second or two. */
const BEGIN_MS_MAX = 60_000;
/** Any number that no other program on this database takes for a lock: the first letters of the name. */
const BEGIN_LOCK = 0x52756e43;
/** How long it stays known that a row was deleted; who has not looked for longer reads all rows anew. */
const DELETED_KEPT = '1 day';
const UNIQUE_VIOLATION = '23505';

/**
 * A row is its content by the names of the columns, so that the shape of the tables is told in one place (`store/migrations`)
 * and processes of two versions can work side by side: neither touches columns that it does not know.
 */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS runcloud_row (
    table_name text NOT NULL,
    row_key text NOT NULL,
    content jsonb,
    revision bigint NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (table_name, row_key)
  )`,
  'ALTER TABLE runcloud_row ADD COLUMN IF NOT EXISTS write_id uuid',
  'CREATE INDEX IF NOT EXISTS runcloud_row_by_revision ON runcloud_row (revision)',
  'CREATE INDEX IF NOT EXISTS runcloud_row_deleted ON runcloud_row (written_at) WHERE content IS NULL',
  `CREATE TABLE IF NOT EXISTS runcloud_revision (
    id boolean PRIMARY KEY DEFAULT true CHECK (id),
    value bigint NOT NULL,
    forgotten bigint NOT NULL
  )`,
  'ALTER TABLE runcloud_revision ADD COLUMN IF NOT EXISTS name uuid NOT NULL DEFAULT gen_random_uuid()',
  'INSERT INTO runcloud_revision (value, forgotten) VALUES (0, 0) ON CONFLICT DO NOTHING',
];

/** Takes the row lock that puts writers one behind the other, so that revisions become visible in their order. */
const NEXT_REVISION = 'UPDATE runcloud_revision SET value = value + 1 RETURNING value';
/** Whether the row holds this, of the columns that its writer knows. A column that the row does not have yet is empty. */
const holds = (content: string) => `
  CASE WHEN ${content} IS NULL OR row.content IS NULL THEN ${content} IS NULL AND row.content IS NULL
  ELSE NOT EXISTS (
    SELECT 1 FROM jsonb_each(${content}) AS field
    WHERE coalesce(row.content -> field.key, 'null') <> field.value) END`;
/**
 * Changes whose row does not hold what it was changed from, or was written since. Two writes may change a row into the same, as who takes
 * something in the same millisecond: only what this very write has kept, when its answer was lost, is not written since.
 */
const CHANGED_OTHERWISE = `
  SELECT 1 FROM jsonb_to_recordset($1::jsonb) AS change (table_name text, row_key text, before jsonb, after jsonb)
    LEFT JOIN runcloud_row AS row USING (table_name, row_key)
  WHERE NOT (${holds('change.after')}
      AND (row.write_id IS NOT DISTINCT FROM $3::uuid OR change.before IS NOT DISTINCT FROM change.after))
    AND (NOT ${holds('change.before')} OR row.revision > $2)
  LIMIT 1`;
const WRITE = `
  INSERT INTO runcloud_row AS row (table_name, row_key, content, revision, write_id)
    SELECT table_name, row_key, after, $2, $3::uuid
    FROM jsonb_to_recordset($1::jsonb) AS change (table_name text, row_key text, after jsonb)
  ON CONFLICT (table_name, row_key) DO UPDATE SET revision = excluded.revision, written_at = now(), write_id = excluded.write_id,
    content = CASE WHEN excluded.content IS NOT NULL THEN coalesce(row.content, '{}') || excluded.content END`;
/** Rows that refer to one that is not there. */
const ORPHANS = `
  SELECT 1 FROM jsonb_to_recordset($1::jsonb) AS parent (table_name text, row_key text)
    LEFT JOIN runcloud_row AS row USING (table_name, row_key)
  WHERE row.content IS NULL LIMIT 1`;
/** Rows that refer to one that goes. */
const CHILDREN = `
  SELECT 1 FROM jsonb_to_recordset($1::jsonb) AS child (table_name text, column_name text, parent_key text)
    JOIN runcloud_row AS row ON row.table_name = child.table_name AND row.content ->> child.column_name = child.parent_key
  LIMIT 1`;
const SINCE = `
  SELECT table_name AS "table", row_key AS "key", content FROM runcloud_row WHERE revision > $1 ORDER BY revision`;
const WHOLE = `
  SELECT table_name AS "table", row_key AS "key", content FROM runcloud_row WHERE content IS NOT NULL ORDER BY revision`;
const FORGET = `
  WITH gone AS (
    DELETE FROM runcloud_row WHERE content IS NULL AND written_at < now() - interval '${DELETED_KEPT}' RETURNING revision)
  UPDATE runcloud_revision SET forgotten = greatest(forgotten, (SELECT max(revision) FROM gone))
  WHERE EXISTS (SELECT 1 FROM gone)`;

/** Shared rows in a PostgreSQL database, version 13 or later. */
export class PostgresRows implements SharedRows {
  readonly #url: string;
  readonly #pool: pg.Pool;
  #shapes: readonly TableShape[] = [];
  /** Holds the lock of the start. */
  #starter: pg.Client | undefined;

  /** @param url as in `postgres://user:password@host:5432/database?sslmode=verify-full` */
  constructor(url: string) {
    this.#url = url;
    this.#pool = new pg.Pool({
      connectionString: url,
      max: 2,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: QUERY_MS_MAX,
      statement_timeout: QUERY_MS_MAX,
      // Of a process whose machine has gone, in the middle of a write: all others wait behind it.
      idle_in_transaction_session_timeout: QUERY_MS_MAX,
      application_name: 'runcloud',
    });
    // A connection that ends between two queries is replaced at the next use; a query that it ends fails by itself.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  async begin(shapes: readonly TableShape[]): Promise<void> {
    this.#shapes = shapes;
    const starter = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      query_timeout: BEGIN_MS_MAX,
      application_name: 'runcloud',
    });
    starter.on('error', () => undefined);
    this.#starter = starter;
    await starter.connect();
    await starter.query(`SET lock_timeout = ${BEGIN_MS_MAX - 1_000}`);
    // The lock of a machine that has gone is free soon.
    await starter.query('SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3');
    await starter.query('SELECT pg_advisory_lock($1)', [BEGIN_LOCK]);
    // Each by itself: together they would hold one table while they wait for another, as writers do in the other order.
    for (const statement of TABLES) await starter.query(statement);
    for (const { name, uniques } of shapes) {
      for (const { column, isCaseless } of uniques) {
        const value = `content ->> '${column}'`;
        await starter.query(
          `CREATE UNIQUE INDEX IF NOT EXISTS runcloud_${name}_${column}
           ON runcloud_row ((${isCaseless ? `lower(${value})` : value})) WHERE table_name = '${name}'`,
        );
      }
    }
  }

  async begun(): Promise<void> {
    // The lock ends with its connection.
    await this.#starter?.end();
    this.#starter = undefined;
  }

  async name(): Promise<string> {
    const { rows } = await this.#pool.query<{ name: string }>('SELECT name FROM runcloud_revision');
    return rows[0]?.name ?? '';
  }

  since(revision: number): Promise<RowsSince> {
    return this.#transact('ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) => {
      const found = await client.query<{ value: string; forgotten: string }>(
        'SELECT value, forgotten FROM runcloud_revision',
      );
      const value = Number(found.rows[0]?.value ?? 0);
      if (value === revision) return { revision, rows: [], isWhole: false };
      // A revision that is not reached yet is of another state of the database: a backup was restored.
      const isWhole = revision < Number(found.rows[0]?.forgotten ?? 0) || revision === 0 || revision > value;
      const { rows } = isWhole ? await client.query(WHOLE) : await client.query(SINCE, [revision]);
      return { revision: value, rows, isWhole };
    });
  }

  async write(changes: readonly RowChange[], base: number, id: string): Promise<number> {
    try {
      return await this.#transact('', async (client) => {
        const next = await client.query<{ value: string }>(NEXT_REVISION);
        const revision = Number(next.rows[0]?.value);
        const rows = changes.map(({ table, key, before, after }) => ({
          table_name: table,
          row_key: key,
          ...(before && { before }),
          ...(after && { after }),
        }));
        await refuse(client, CHANGED_OTHERWISE, rows, base, id);
        await client.query(WRITE, [JSON.stringify(rows), revision, id]);
        await refuse(client, ORPHANS, this.#parentsOf(changes));
        await refuse(client, CHILDREN, this.#childrenOf(changes));
        await client.query(FORGET);
        return revision;
      });
    } catch (error) {
      throw (error as { code?: unknown }).code === UNIQUE_VIOLATION ? new RowsChanged() : error;
    }
  }

  async close(): Promise<void> {
    await this.#starter?.end().catch(() => undefined);
    await this.#pool.end();
  }

  /** What the changed rows refer to. */
  #parentsOf(changes: readonly RowChange[]) {
    return changes.flatMap(({ table, after }) =>
      (this.#shapes.find(({ name }) => name === table)?.parents ?? []).flatMap(({ column, table: parent }) => {
        const key = after?.[column] ?? null;
        return key === null ? [] : [{ table_name: parent, row_key: key }];
      }),
    );
  }

  /** Where rows are that may refer to those that go. */
  #childrenOf(changes: readonly RowChange[]) {
    return changes.flatMap(({ table, key, after }) =>
      after
        ? []
        : this.#shapes.flatMap(({ name, parents }) =>
            parents
              .filter((parent) => parent.table === table)
              .map(({ column }) => ({ table_name: name, column_name: column, parent_key: key })),
          ),
    );
  }

  async #transact<T>(mode: string, task: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    // A start reads and writes all rows, which may take long.
    const starter = this.#starter;
    if (starter) {
      return inTransaction(starter, mode, task).catch(async (error: unknown) => {
        // It holds the lock of the writers, and is used again. Its error says nothing that the first one does not.
        await starter.query('ROLLBACK').catch(() => undefined);
        throw error;
      });
    }
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      return await inTransaction(client, mode, task);
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection whose transaction may be open is not used again.
      client.release(failure);
    }
  }
}

async function inTransaction<T>(
  client: pg.ClientBase,
  mode: string,
  task: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  await client.query(`BEGIN ${mode}`);
  const outcome = await task(client);
  await client.query('COMMIT');
  return outcome;
}

/** Throws `RowsChanged` if the query finds a row. */
async function refuse(
  client: pg.ClientBase,
  query: string,
  rows: readonly object[],
  ...more: readonly (number | string)[]
): Promise<void> {
  if (rows.length === 0) return;
  const { rowCount } = await client.query(query, [JSON.stringify(rows), ...more]);
  if (rowCount !== 0) throw new RowsChanged();
}

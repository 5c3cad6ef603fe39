import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import t, { type Test } from 'tap';
import { Accounts } from '../../server/account/accounts.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { LocalPostgres } from '../../server/local-postgres.ts';
import { PostgresRows } from '../../server/replica/postgres-rows.ts';
import { Replica } from '../../server/replica/replica.ts';
import { RowsChanged } from '../../server/store/rows-changed.ts';
import { Store } from '../../server/store/store.ts';
import { withoutPostgres } from '../support/postgres.ts';

const skip = withoutPostgres();

/** A table of notes in a database of its own, without rows. */
async function emptyRows(t: Test): Promise<PostgresRows> {
  const postgres = await LocalPostgres.start();
  t.teardown(() => postgres.close());
  const rows = new PostgresRows(postgres.url);
  t.teardown(() => rows.close());
  await rows.begin([{ name: 'note', keyColumn: 'id', uniques: [], parents: [] }]);
  await rows.begun();
  return rows;
}

t.test('stores of several processes over PostgreSQL', { skip }, async (t) => {
  const postgres = await LocalPostgres.start();
  t.teardown(() => postgres.close());
  let made = 0;
  const begin = async () => {
    const store = new Store(join(t.testdir({}), `${made++}.db`));
    const replica = new Replica({
      rows: new PostgresRows(postgres.url),
      changes: store.openChanges(),
      clock: systemClock,
      onReached: () => undefined,
      onChanged: () => undefined,
      onFault: (error) => t.fail(String(error)),
    });
    await replica.begin();
    store.replicate(replica);
    const accounts = new Accounts(store, systemClock);
    const close = async () => {
      await replica.close();
      store.close();
    };
    return { store, replica, accounts, close };
  };
  const open = async () => {
    const opened = await begin();
    await opened.replica.begun();
    return opened;
  };
  const one = await open();
  const { account, keyId } = await one.store.commit(() => one.accounts.create('ada'));
  const other = await open();
  t.same(other.accounts.list(), [account]);
  const secret = one.store.secrets.get('purpose');
  await one.store.durable();
  const sees = async (what: () => unknown, message: string) => {
    const end = Date.now() + 20_000;
    while (!what() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
    t.ok(what(), message);
  };
  await sees(() => Buffer.compare(other.store.secrets.get('purpose'), secret) === 0 || undefined, 'secret arrives');
  await other.store.commit(() => other.accounts.revokeKey(keyId));
  await sees(() => one.store.keys.byId(keyId)?.revokedAtMs, 'revocation arrives');
  const both = await Promise.allSettled(
    [one, other].map((each) => each.store.commit(() => each.accounts.create('eve'))),
  );
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const [refused] = both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  t.match(refused.message, /There is an account eve already/);

  // A start that is slower than somebody else is no worse off, and keeps nobody from writing.
  const starting = await begin();
  const { keyId: contested } = await one.store.commit(() => one.accounts.createKey('eve', 'contested'));
  await sees(() => starting.store.keys.byId(contested), 'the key arrives during the start');
  await one.store.commit(() => one.accounts.revokeKey(contested));
  // It does not know of that yet, and revokes the key at another time.
  await starting.store.commit(() => starting.accounts.revokeKey(contested));
  await one.store.commit(() => one.accounts.createKey('eve', 'meanwhile'));
  await starting.store.commit(() => starting.accounts.createKey('eve', 'of the start'));
  await starting.replica.begun();
  await sees(
    () => ['meanwhile', 'of the start'].every((name) => one.accounts.listKeys('eve').some((k) => k.name === name)),
    'both are kept',
  );
  await starting.close();

  // An edge with accounts of its own does not lose them to a database that has others.
  const stranger = new Store(join(t.testdir({}), 'stranger.db'));
  new Accounts(stranger, systemClock).create('mine');
  const joining = new Replica({
    rows: new PostgresRows(postgres.url),
    changes: stranger.openChanges(),
    clock: systemClock,
    onReached: () => undefined,
    onChanged: () => undefined,
    onFault: (error) => t.fail(String(error)),
  });
  await t.rejects(joining.begin(), /accounts of its own/);
  await joining.close();
  t.same(
    new Accounts(stranger, systemClock).list().map(({ name }) => name),
    ['mine'],
  );
  stranger.close();

  // A process of another version knows a column less, or one more.
  const { keyId: laterId } = await one.store.commit(() => one.accounts.createKey('eve', 'of another version'));
  const client = new pg.Client(postgres.url);
  await client.connect();
  const key = "table_name = 'api_key' AND row_key = $1";
  await client.query(`UPDATE runcloud_row SET content = (content || '{"later": 1}') - 'minted_by' WHERE ${key}`, [
    laterId,
  ]);
  await sees(() => other.store.keys.byId(laterId), 'the row arrives');
  await other.store.commit(() => other.accounts.revokeKey(laterId));
  const { rows } = await client.query<{ content: object }>(`SELECT content FROM runcloud_row WHERE ${key}`, [laterId]);
  t.match(rows, [{ content: { later: 1, minted_by: null, revoked_at_ms: Number } }], 'what is not known is kept');
  await client.end();
  await one.close();
  await other.close();
});

t.test(
  'of two that write the same one is too late, and a write that is tried again is kept once',
  { skip },
  async (t) => {
    const rows = await emptyRows(t);
    const free = { taker: null };
    const taken = { taker: 'somebody' };
    const base = await rows.write([{ table: 'note', key: 'a', before: null, after: free }], 0, randomUUID());
    const change = { table: 'note', key: 'a', before: free, after: taken };
    const id = randomUUID();
    const first = await rows.write([change], base, id);
    await t.rejects(rows.write([change], base, randomUUID()), new RowsChanged(), 'another one, of the same content');
    t.ok((await rows.write([change], base, id)) > first, 'the same once more, as after an answer that was lost');
    const gone = { table: 'note', key: 'a', before: taken, after: null };
    const seen = (await rows.since(0)).revision;
    const removal = randomUUID();
    await rows.write([gone], seen, removal);
    await t.rejects(rows.write([gone], seen, randomUUID()), new RowsChanged(), 'a row is deleted by one');
    await rows.write([gone], seen, removal);
    t.same((await rows.since(0)).rows, []);
  },
);

t.test('a row that stays as it is does not stand in the way of others that leave it so', { skip }, async (t) => {
  const rows = await emptyRows(t);
  const content = { title: 'a' };
  const base = await rows.write([{ table: 'note', key: 'a', before: null, after: content }], 0, randomUUID());
  const stays = { table: 'note', key: 'a', before: content, after: content };
  await rows.write([stays], base, randomUUID());
  await rows.write([stays], base, randomUUID());
  const renamed = { table: 'note', key: 'a', before: content, after: { title: 'b' } };
  await t.rejects(
    rows.write([renamed], base, randomUUID()),
    new RowsChanged(),
    'who has not seen that they rely on it',
  );
});

t.test('processes start while others write, and neither waits for the other for ever', { skip }, async (t) => {
  const postgres = await LocalPostgres.start();
  t.teardown(() => postgres.close());
  const shapes = [{ name: 'note', keyColumn: 'id', uniques: [{ column: 'title', isCaseless: true }], parents: [] }];
  const start = async () => {
    const rows = new PostgresRows(postgres.url);
    await rows.begin(shapes);
    await rows.begun();
    return rows;
  };
  const writing = [await start(), await start()];
  let isOver = false;
  let written = 0;
  const writers = writing.map(async (rows, writer) => {
    for (let number = 0; !isOver; number++) {
      const key = `${writer}-${number}`;
      const change = { table: 'note', key, before: null, after: { title: key } };
      await rows.write([change], Number.MAX_SAFE_INTEGER, randomUUID());
      written++;
    }
  });
  for (let starts = 0; starts < 20; starts++) await (await start()).close();
  isOver = true;
  await Promise.all(writers);
  t.ok(written > 20, `${written} rows were written meanwhile`);
  for (const rows of writing) await rows.close();
});

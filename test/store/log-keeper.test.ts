import { readFileSync, rmSync, statSync } from 'node:fs';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { AccountTable } from '../../server/store/account-table.ts';
import { databasePath, openDatabase } from '../../server/store/database.ts';
import { CHECKPOINT_PAGES, LogKeeper, RESTART_PAGES } from '../../server/store/log-keeper.ts';
import { type SessionPatch, SessionTable } from '../../server/store/session-table.ts';
import { account } from './open-store.ts';
import { sessionRow } from './session-rows.ts';

/** What a session changes in its row, one write after the other. */
const LIFE: readonly SessionPatch[] = [
  { status: 'active', deviceId: 'dev_1', device: sessionRow().device },
  { status: 'releasing' },
  { status: 'released', releaseReason: 'requested', releasedAtMs: 3_000, orientation: 'portrait' },
];

/** A database as a server has it, and the keeper of its log. */
function arena(t: { testdir(): string; teardown(task: () => void): void }) {
  const path = databasePath(t.testdir());
  const database = openDatabase(path);
  database.pragma('wal_autocheckpoint = 0');
  database.pragma('journal_size_limit = 0');
  const keeper = new LogKeeper(path);
  t.teardown(() => {
    keeper.close();
    database.close();
  });
  database.exec('CREATE TABLE filler (bytes BLOB)');
  const insert = database.prepare('INSERT INTO filler VALUES (zeroblob(4096))');
  const fill = database.transaction((pages: number) => {
    for (let page = 0; page < pages; page++) insert.run();
  });
  return { path, database, keeper, fill };
}

t.test('a long log is moved into the file, and the next write begins it anew', async (t) => {
  const { path, keeper, fill } = arena(t);
  fill(10);
  const [short, emptyBytes] = [statSync(`${path}-wal`).size, statSync(path).size];
  keeper.checkpoint();
  t.equal(statSync(path).size, emptyBytes, 'a short one stays where it is');
  fill(CHECKPOINT_PAGES);
  keeper.checkpoint();
  t.ok(statSync(path).size > CHECKPOINT_PAGES * 4_096);
  fill(1);
  t.ok(statSync(`${path}-wal`).size < short);
});

t.test('what the sessions of a busy account write in ten seconds does not begin the log anew', async (t) => {
  const { path, database, keeper } = arena(t);
  database.pragma('synchronous = NORMAL');
  new AccountTable(database).insert(account('acme'));
  const sessions = new SessionTable(database);
  const { sessionCreationsPerSecond, sessionCreationsAtOnce } = LIMITS;
  for (let count = 0; count < sessionCreationsAtOnce + 10 * sessionCreationsPerSecond; count++) {
    const row = sessionRow({ id: `ses_${count}`, createdAtMs: count });
    sessions.insert({ ...row, status: 'starting' });
    for (const patch of LIFE) sessions.update(row.id, patch);
  }
  const { size } = statSync(`${path}-wal`);
  keeper.checkpoint();
  sessions.update('ses_0', { orientation: 'landscape_left' });
  t.ok(statSync(`${path}-wal`).size >= size, 'who writes next does not wait for the disk');
});

t.test('a reader that stays holds nobody up, and a log that is never at rest is begun anew all the same', async (t) => {
  const { path, database, keeper, fill } = arena(t);
  const reader = openDatabase(path);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM filler').get();
  fill(CHECKPOINT_PAGES);
  keeper.checkpoint();
  fill(1);
  t.ok(statSync(`${path}-wal`).size > CHECKPOINT_PAGES * 4_096, 'the reader still needs it');
  reader.exec('COMMIT');
  reader.close();
  fill(RESTART_PAGES);
  keeper.checkpoint();
  fill(1);
  t.ok(statSync(`${path}-wal`).size < 100 * 4_096);
  t.equal(database.prepare('SELECT count(*) FROM filler').pluck().get(), CHECKPOINT_PAGES + 1 + RESTART_PAGES + 1);
});

t.test('a log that was removed under the server is on no disk', async (t) => {
  const { path, keeper } = arena(t);
  keeper.sync();
  rmSync(`${path}-wal`);
  t.throws(() => keeper.sync(), { message: /removed/ });
});

t.test(
  'whatever else of this process opens the database, its locks stay',
  {
    skip: process.platform !== 'linux' && 'the locks of other systems cannot be read',
  },
  async (t) => {
    const { path, database } = arena(t);
    const file = statSync(path).ino;
    const locks = () =>
      readFileSync('/proc/locks', 'utf8').match(new RegExp(`POSIX.* ${process.pid} .*:${file} `, 'g'));
    database.prepare('SELECT 1 FROM filler').get();
    t.equal(locks()?.length, 1, 'by which other processes know that somebody works on it');
    openDatabase(path).close();
    new LogKeeper(path).close();
    t.equal(locks()?.length, 1);
  },
);

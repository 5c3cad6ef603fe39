import { execFile } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { databasePath, openDatabase } from '../../server/store/database.ts';

t.test('the folder and the file are made for their owner alone', async (t) => {
  const path = databasePath(join(t.testdir(), 'deep', 'data'));
  openDatabase(path).close();
  t.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test('a database writes ahead, keeps foreign keys and waits for locks', async (t) => {
  const database = openDatabase(databasePath(t.testdir()));
  t.teardown(() => database.close());
  const pragma = (name: string) => database.pragma(name, { simple: true });
  t.strictSame(
    [pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys'), pragma('busy_timeout')],
    ['wal', 1, 1, 5_000],
  );
});

t.test('the SQLite inside is at least 3.51.3, which mends a lost write in WAL mode', async (t) => {
  const database = openDatabase(databasePath(t.testdir()));
  t.teardown(() => database.close());
  const version = String(database.prepare('SELECT sqlite_version()').pluck().get());
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  t.ok(major * 1e6 + minor * 1e3 + patch >= 3_051_003, version);
});

t.test('a file that is no database is refused and left as it is', async (t) => {
  const path = databasePath(t.testdir());
  writeFileSync(path, 'x'.repeat(8_192));
  t.throws(() => openDatabase(path), { code: 'SQLITE_NOTADB' });
  t.equal(statSync(path).size, 8_192);
});

t.test('processes that open a new database at the same moment all get it whole', async (t) => {
  const path = databasePath(join(t.testdir(), 'data'));
  const code = `
    const { openDatabase } = await import(${JSON.stringify(join(process.cwd(), 'server/store/database.ts'))});
    while (Date.now() < Number(process.argv[2])) {}
    const database = openDatabase(process.argv[1]);
    console.log(database.pragma('user_version', { simple: true }), database.pragma('integrity_check', { simple: true }));
    database.close();`;
  const startAt = String(Date.now() + 4_000);
  const runs = Array.from({ length: 4 }, () =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code, path, startAt]),
  );
  for (const { stdout } of await Promise.all(runs)) t.match(stdout, /^[1-9][0-9]* ok\n$/);
});

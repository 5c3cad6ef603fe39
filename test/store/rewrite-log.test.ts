import { copyFileSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import t from 'tap';
import { databasePath, openDatabase } from '../../server/store/database.ts';
import { openServed } from './open-served.ts';

t.test('a start writes the log of the process before it once more, and changes nothing of it', async (t) => {
  const folder = t.testdir({ killed: {}, next: {} });
  const [from, to] = [databasePath(`${folder}/killed`), databasePath(`${folder}/next`)];
  const killed = openDatabase(from);
  killed.exec('CREATE TABLE filler (bytes BLOB)');
  // Longer than what is written in one piece.
  killed.exec('INSERT INTO filler VALUES (zeroblob(1500000)), (randomblob(7))');
  for (const file of ['', '-wal']) copyFileSync(`${from}${file}`, `${to}${file}`);
  const left = readFileSync(`${to}-wal`);
  killed.close();
  utimesSync(`${to}-wal`, 1, 1);
  const { store } = await openServed({ testdir: () => dirname(to), teardown: (task) => t.teardown(task) });
  t.ok(statSync(`${to}-wal`).mtimeMs > 1_000, 'it was written');
  t.ok(left.length > 1_500_000);
  t.ok(readFileSync(`${to}-wal`).equals(left), 'as it was');
  t.equal(store.failure, undefined);
});

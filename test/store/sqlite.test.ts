import t from 'tap';
import { Sqlite } from '../../server/store/sqlite.ts';

t.test('the binding that this Node.js needs is there, and its objects are let go quietly', async (t) => {
  const database = new Sqlite(':memory:');
  database.exec('CREATE TABLE numbers (number INTEGER)');
  const insert = database.prepare('INSERT INTO numbers VALUES (?)');
  for (let number = 0; number < 1_000; number++) insert.run(number);
  // Enough statements for the collector to take some while the process goes on.
  for (let number = 0; number < 50_000; number++) database.prepare('SELECT 1');
  t.same(database.prepare('SELECT count(*) AS count FROM numbers').get(), { count: 1_000 });
  database.close();
  t.throws(() => new Sqlite('/absent/folder/file.db'), { message: /directory does not exist/ });
  t.type(Sqlite.SqliteError, 'function');
});

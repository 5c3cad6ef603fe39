import t from 'tap';
import { databasePath, openDatabase } from '../../server/store/database.ts';
import { MIGRATIONS, migrate, NewerDatabaseError } from '../../server/store/migrations.ts';
import { type Database, Sqlite } from '../../server/store/sqlite.ts';

const versionOf = (database: Database) => database.pragma('user_version', { simple: true });

t.test('an empty database is brought to the newest version', async (t) => {
  const database = openDatabase(databasePath(t.testdir()));
  t.teardown(() => database.close());
  t.equal(versionOf(database), MIGRATIONS.length);
});

t.test('opening again changes nothing', async (t) => {
  const path = databasePath(t.testdir());
  const schemaOf = () => {
    const database = openDatabase(path);
    const schema = database.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
    database.close();
    return schema;
  };
  t.strictSame(schemaOf(), schemaOf());
});

t.test('only the steps that are missing are taken', async (t) => {
  const database = new Sqlite(':memory:');
  migrate(database, ['CREATE TABLE a (x)']);
  migrate(database, ['CREATE TABLE a (x)', 'CREATE TABLE b (x)', 'INSERT INTO b VALUES (1)']);
  t.equal(versionOf(database), 3);
  t.equal(database.prepare('SELECT count(*) FROM b').pluck().get(), 1);
});

t.test('a step that fails leaves the version before it, whole', async (t) => {
  const database = new Sqlite(':memory:');
  t.throws(() => migrate(database, ['CREATE TABLE a (x)', 'CREATE TABLE b (x); CREATE TABLE a (x)']));
  t.equal(versionOf(database), 1);
  t.strictSame(database.prepare('SELECT name FROM sqlite_schema').pluck().all(), ['a']);
});

t.test('a database of a newer build is refused in one line and not touched', async (t) => {
  const path = databasePath(t.testdir());
  const database = openDatabase(path);
  database.pragma(`user_version = ${MIGRATIONS.length + 1}`);
  database.close();
  t.throws(() => openDatabase(path), { message: /^The database .* has version \d+, this build knows [^\n]*$/ });
  t.throws(() => openDatabase(path), NewerDatabaseError);
  const found = new Sqlite(path);
  t.teardown(() => found.close());
  t.equal(versionOf(found), MIGRATIONS.length + 1);
});

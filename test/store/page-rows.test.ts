import t, { type Test } from 'tap';
import { AssetTable } from '../../server/store/asset-table.ts';
import { type Database, databasePath, openDatabase } from '../../server/store/database.ts';
import { endedKinds } from '../../server/store/ended-rows.ts';
import { HostSessionTable } from '../../server/store/host-session-table.ts';
import { KeyTable } from '../../server/store/key-table.ts';
import { RecordingEventTable } from '../../server/store/recording-event-table.ts';
import { RecordingTable } from '../../server/store/recording-table.ts';
import { SessionTable } from '../../server/store/session-table.ts';
import { TokenTable } from '../../server/store/token-table.ts';
import { ViewerLinkTable } from '../../server/store/viewer-link-table.ts';

/** A database that keeps what is prepared on it. */
function openWatched(t: Test) {
  const database = openDatabase(databasePath(t.testdir()));
  t.teardown(() => database.close());
  const statements: string[] = [];
  const watched = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          statements.push(sql);
          return target.prepare(sql);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  }) as Database;
  const planOf = (sql: string) => {
    const names = [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 1]);
    const parameters = names.length > 0 ? [Object.fromEntries(names)] : [...sql.matchAll(/\?/g)].map(() => 1);
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { readonly detail: string }[];
    return plan.map(({ detail }) => detail);
  };
  return { watched, statements, planOf };
}

t.test('every page of every list is a range of an index, in the order of the list', async (t) => {
  const { watched, statements, planOf } = openWatched(t);
  const tables = [AssetTable, HostSessionTable, KeyTable, SessionTable, TokenTable, ViewerLinkTable];
  for (const Table of tables) new Table(watched);
  new RecordingTable(watched, new RecordingEventTable(watched));
  const lists = statements.filter((sql) => sql.includes('LIMIT @rows'));
  t.equal(lists.length, 14, 'four of sessions here and of those of other hosts, and one of each of the others');
  for (const sql of lists) {
    const [first, ...rest] = planOf(sql);
    t.match(first, /^SEARCH \w+ USING INDEX \w+ \(.*=\? AND created_at_ms<\?\)$/, sql);
    // An asset's content is found by its key.
    for (const detail of rest) t.match(detail, /^SEARCH asset_content USING INDEX \w+ \(checksum=\?\)$/, sql);
  }
});

t.test('ended rows are found and deleted by indexes, without reading other rows', async (t) => {
  const { watched, statements, planOf } = openWatched(t);
  t.equal(endedKinds(watched).length, 13);
  t.ok(statements.length > 20);
  for (const sql of statements) {
    for (const detail of planOf(sql)) {
      t.notMatch(detail, /^SCAN (?!CONSTANT ROW)|TEMP B-TREE/, sql);
    }
  }
  const finds = statements.filter((sql) => sql.includes('@endedByMs'));
  for (const sql of finds) t.match(planOf(sql)[0], /USING (COVERING )?INDEX \w+ \(\w+>\? AND \w+<\?\)$/, sql);
});

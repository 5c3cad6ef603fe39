import t from 'tap';
import { AssetTable } from '../../server/store/asset-table.ts';
import { type Database, databasePath, openDatabase } from '../../server/store/database.ts';
import { KeyTable } from '../../server/store/key-table.ts';
import { RecordingEventTable } from '../../server/store/recording-event-table.ts';
import { RecordingTable } from '../../server/store/recording-table.ts';
import { SessionTable } from '../../server/store/session-table.ts';
import { TokenTable } from '../../server/store/token-table.ts';
import { ViewerLinkTable } from '../../server/store/viewer-link-table.ts';

t.test('every page of every list is a range of an index, in the order of the list', async (t) => {
  const database = openDatabase(databasePath(t.testdir()));
  t.teardown(() => database.close());
  const statements: string[] = [];
  const seen = new Proxy(database, {
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
  for (const Table of [AssetTable, KeyTable, SessionTable, TokenTable, ViewerLinkTable]) new Table(seen);
  new RecordingTable(seen, new RecordingEventTable(seen));
  const lists = statements.filter((sql) => sql.includes('LIMIT @rows'));
  t.equal(lists.length, 9, 'four of sessions, and one of each of the others');
  for (const sql of lists) {
    const parameters = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => [name, 1]));
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(parameters) as { readonly detail: string }[];
    const [first, ...rest] = plan.map(({ detail }) => detail);
    t.match(first, /^SEARCH \w+ USING INDEX \w+ \(.*=\? AND created_at_ms<\?\)$/, sql);
    // An asset's content is found by its key.
    for (const detail of rest) t.match(detail, /^SEARCH asset_content USING INDEX \w+ \(checksum=\?\)$/, sql);
  }
});

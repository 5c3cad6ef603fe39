import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { LIMITS, TRAITS } from '../../protocol/index.ts';

/** The code must read every fact that the contract declares: one without a reader would have no effect when it is changed. */

const DECLARED_IN = ['protocol/limits.ts', 'protocol/messages/traits.ts'];

const sources = ['protocol', 'server', 'client']
  .flatMap((top) => readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((name) => /\.tsx?$/.test(name) && !/node_modules|^client\/dist\//.test(name) && !DECLARED_IN.includes(name))
  .map((name) => readFileSync(name, 'utf8'));

/** The `names` that no source reads from a value that `holder` matches. */
function unread(names: readonly string[], holder: string): string[] {
  const taken = new RegExp(`(?:${holder})\\??\\.(\\w+)`, 'g');
  const unpacked = new RegExp(`\\{([^{}]*)\\}\\s*=\\s*(?:${holder})(?![\\w.?])`, 'g');
  const read = new Set<string>();
  for (const text of sources) {
    for (const [, name = ''] of text.matchAll(taken)) read.add(name);
    for (const [, list = ''] of text.matchAll(unpacked)) for (const [name] of list.matchAll(/\w+/g)) read.add(name);
  }
  return names.filter((name) => !read.has(name));
}

t.test('every limit is read by the code', async (t) => {
  t.same(unread(Object.keys(LIMITS), 'LIMITS'), []);
  t.same(unread(['restCallsPerSecond', 'nobodyReadsThis'], 'LIMITS'), ['nobodyReadsThis'], 'the search finds none');
});

t.test('every trait of a message is read by the code', async (t) => {
  const names = [...new Set(Object.values(TRAITS).flatMap((declared) => Object.keys(declared)))];
  t.same(names.sort(), ['answered', 'refusedAs', 'role']);
  t.same(unread([...names, 'nobodyReadsThis'], 'traitsOf\\(\\w+\\)'), ['nobodyReadsThis']);
});

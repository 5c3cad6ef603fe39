import fc from 'fast-check';
import t from 'tap';
import type { PathRule } from '../../server/device/app-package.ts';
import { matchesPath } from '../../server/device/path-match.ts';

type Case = readonly [kind: PathRule['kind'], value: string, fits: readonly string[], misses: readonly string[]];

const CASES: readonly Case[] = [
  ['literal', '/a', ['/a'], ['/a/', '/A', '/', '', '/ab']],
  ['literal', '', [''], ['/']],
  ['prefix', '/a', ['/a', '/ab', '/a/b'], ['/', '/b/a', 'a', '/A']],
  ['prefix', '', ['', '/anything'], []],
  ['suffix', '.html', ['/a.html', '.html'], ['/a.htm', '/a.html/']],
  ['pattern', '/.*', ['/', '/a', '/a/b/c'], ['', 'a']],
  ['pattern', '.*', ['', '/', '/a/b'], []],
  ['pattern', '/a', ['/a'], ['/b', '/ab', '/']],
  ['pattern', '/.', ['/a', '/.'], ['/', '/ab']],
  // A star at the end counts from one on, but for the one behind a dot.
  ['pattern', '/a*', ['/a', '/aaa'], ['/', '/b', '/ab']],
  ['pattern', '/a*b', ['/b', '/ab', '/aab'], ['/a', '/aba']],
  ['pattern', '/.*\\.jpg', ['/a.jpg', '/a/b.jpg'], ['/ajpg', '/a.png']],
  ['pattern', '/item\\*', ['/item*'], ['/item', '/itemm']],
  ['pattern', '/a\\.b', ['/a.b'], ['/axb']],
  // `.*` does not backtrack: it ends at the first occurrence of the character after it.
  ['pattern', '/.*end', ['/end', '/xend'], ['/eend']],
  ['pattern', '*a', ['*a'], ['a', 'aa']],
  ['pattern', '', [''], ['/']],
  ['advanced', '/item/[0-9]+', ['/item/1', '/item/123'], ['/item/', '/item/a', '/item/1a']],
  ['advanced', '/[^/]+/view', ['/a/view', '/abc/view'], ['//view', '/a/b/view']],
  ['advanced', '/[a-cx]', ['/a', '/c', '/x'], ['/d', '/', '/ab']],
  ['advanced', '/a{2}', ['/aa'], ['/a', '/aaa']],
  ['advanced', '/a{2,}', ['/aa', '/aaaa'], ['/a']],
  ['advanced', '/a{1,3}b', ['/ab', '/aaab'], ['/b', '/aaaab']],
  ['advanced', '/.*', ['/', '/a/b'], ['']],
  ['advanced', '/.+', ['/a'], ['/']],
  ['advanced', '/\\[a\\]', ['/[a]'], ['/a']],
  ['advanced', '/[\\]]', ['/]'], ['/a']],
  ['advanced', '/[unclosed', [], ['/[unclosed', '/u', '/']],
  ['advanced', '*a', [], ['*a', 'a', '']],
  ['advanced', '/a{x}', [], ['/a', '/a{x}']],
];

for (const [kind, value, fits, misses] of CASES) {
  t.test(`the ${kind} ${JSON.stringify(value)} fits what Android lets it fit`, async (t) => {
    for (const path of fits) t.equal(matchesPath({ kind, value }, path), true, `fits ${JSON.stringify(path)}`);
    for (const path of misses) t.equal(matchesPath({ kind, value }, path), false, `misses ${JSON.stringify(path)}`);
  });
}

t.test('a pattern of a stranger costs no more than a walk along the path', async (t) => {
  const kinds = fc.constantFrom('pattern' as const, 'advanced' as const);
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '*', '+', '\\', '[', ']', '^', '-', '{', '1', ',', '}', '/'),
  });
  fc.assert(
    fc.property(kinds, text, text, (kind, value, path) => typeof matchesPath({ kind, value }, path) === 'boolean'),
    { numRuns: 5_000 },
  );
  const path = `/${'a'.repeat(4_000)}`;
  for (const kind of ['pattern', 'advanced'] as const) {
    const value = `/${'a*'.repeat(1_000)}b`;
    t.equal(matchesPath({ kind, value }, path), false, 'what would keep a backtracking matcher busy for ever ends');
  }
});

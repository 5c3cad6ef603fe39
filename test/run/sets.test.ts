import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { groupsOf, groupsOverWs } from './groups.ts';
import { ALONE, APART, filesOf, LONG, LONG_TOGETHER, OVER_WS, SETS, testFiles } from './sets.ts';

t.test('each file of the tree is in one set', async (t) => {
  const all = testFiles();
  t.ok(all.includes('test/run/sets.test.ts') && all.length > 500, `${all.length} files`);
  t.same([...filesOf('quick'), ...filesOf('rest')].sort(), all);
  t.same(filesOf('all'), all);
});

t.test('tests of packages that are installed below are not ours', async (t) => {
  const root = t.testdir({ 'one.test.ts': '', node_modules: { other: { 'other.test.ts': '' } } });
  t.same(testFiles(root), [join(root, 'one.test.ts')]);
});

t.test('each file of a set is run by one process', async (t) => {
  for (const set of SETS) {
    const groups = groupsOf(filesOf(set));
    const pools = new Map(groups.flatMap(({ files, pool }) => (pool ? [[pool.name, files]] : [])));
    const pooled = [...pools.values()].flat();
    const own = groups.flatMap(({ files, pool }) => (pool ? [] : files));
    t.same([...pooled, ...own].sort(), filesOf(set), set);
    t.equal(new Set(groups.map(({ name }) => name)).size, groups.length, 'no process takes the name of another');
  }
});

t.test('the lists name files that are there, each with a reason', async (t) => {
  const all = new Set(testFiles());
  for (const [file, reason] of [ALONE, LONG, LONG_TOGETHER, APART].flatMap((list) => Object.entries(list))) {
    t.ok(all.has(file), file);
    t.ok(reason.length > 5, file);
  }
});

t.test('a file with snapshots has a process of its own, by whose name they are found', async (t) => {
  const snapshots = readdirSync('tap-snapshots', { recursive: true, encoding: 'utf8' });
  const files = snapshots.filter((name) => name.endsWith('.cjs')).map((name) => name.replace(/\.test\.cjs$/, ''));
  t.ok(files.length > 2);
  for (const file of files) t.ok(file in APART || file in LONG || file in ALONE, file);
});

t.test('no file stands in two lists', async (t) => {
  const listed = [ALONE, LONG, LONG_TOGETHER, APART].flatMap((list) => Object.keys(list));
  t.equal(new Set(listed).size, listed.length);
});

t.test('files that have to run alone are part of `test:all`, where they do', async (t) => {
  for (const group of groupsOf(filesOf('quick'))) t.notOk(group.isAlone, group.name);
  const alone = groupsOf(filesOf('rest')).filter(({ isAlone }) => isAlone);
  t.same(alone.flatMap(({ files }) => files).sort(), Object.keys(ALONE).sort());
});

t.test('a file that nobody has listed is part of `npm test`, beside others', async (t) => {
  const files = ['test/flow/new.test.ts', 'test/flow/other.test.ts'];
  t.same(filesOf('quick', files), files);
  t.match(groupsOf(files), [{ name: 'shared-1', files, pool: { name: 'shared' }, isAlone: false }]);
});

t.test('the files that run over the other socket library are there, each in one process', async (t) => {
  const all = new Set(testFiles());
  for (const file of OVER_WS) t.ok(all.has(file), file);
  const groups = groupsOverWs();
  for (const { files, pool } of groups) t.same([[...files].sort(), pool?.name], [[...OVER_WS].sort(), 'over-ws']);
  t.ok(groups.length * (groups[0]?.pool?.filesMax ?? 0) >= OVER_WS.length, 'there are processes for all of them');
  for (const file of OVER_WS) t.notOk(file in ALONE || file in APART, `${file} can share a process`);
});

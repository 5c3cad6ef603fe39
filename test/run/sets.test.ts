import { join } from 'node:path';
import t from 'tap';
import { groupsOf, groupsOverWs } from './groups.ts';
import { ALONE, APART, filesOf, LONG, OVER_WS, SETS, testFiles } from './sets.ts';

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
    t.same(groups.flatMap(({ files }) => files).sort(), filesOf(set), set);
    t.equal(new Set(groups.map(({ name }) => name)).size, groups.length, 'no process takes the name of another');
  }
});

t.test('the lists name files that are there, each with a reason', async (t) => {
  const all = new Set(testFiles());
  for (const [file, reason] of [ALONE, LONG, APART].flatMap((list) => Object.entries(list))) {
    t.ok(all.has(file), file);
    t.ok(reason.length > 5, file);
  }
});

t.test('a file that runs alone stands in no other list', async (t) => {
  for (const file of Object.keys(ALONE)) t.notOk(file in LONG || file in APART, file);
});

t.test('long files share processes, but those that need one of their own', async (t) => {
  for (const { files } of groupsOf(filesOf('rest'))) t.ok(files.length === 1 || files.every((file) => file in LONG));
  for (const file of Object.keys(APART)) {
    t.ok(
      groupsOf(filesOf('all')).some(({ files }) => files.length === 1 && files[0] === file),
      file,
    );
  }
});

t.test('files that have to run alone are part of `test:all`, where they do', async (t) => {
  for (const group of groupsOf(filesOf('quick'))) t.notOk(group.isAlone, group.name);
  const alone = groupsOf(filesOf('rest')).filter(({ isAlone }) => isAlone);
  t.same(alone.flatMap(({ files }) => files).sort(), Object.keys(ALONE).sort());
});

t.test('a file that nobody has listed is part of `npm test`, beside others', async (t) => {
  const files = ['test/flow/new.test.ts', 'test/flow/other.test.ts'];
  t.same(filesOf('quick', files), files);
  t.match(groupsOf(files), [{ name: 'shared-1', files, isAlone: false }]);
});

t.test('the files that run over the other socket library are there, each in one process', async (t) => {
  const all = new Set(testFiles());
  for (const file of OVER_WS) t.ok(all.has(file), file);
  t.same(
    groupsOverWs()
      .flatMap(({ files }) => files)
      .sort(),
    [...OVER_WS].sort(),
  );
  for (const file of OVER_WS) t.notOk(file in ALONE || file in APART, `${file} can share a process`);
});

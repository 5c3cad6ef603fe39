import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import type { Group } from './groups.ts';

const RUN_GROUPS = join(import.meta.dirname, 'run-groups.ts');

const GOOD = "import t from 'tap';\nt.test('it holds', async (t) => { t.ok(true); });\n";
const BAD = "import t from 'tap';\nt.test('it does not hold', async (t) => { t.ok(false); });\n";
const DIES = "import t from 'tap';\nt.test('it dies', async () => { process.kill(process.pid, 'SIGKILL'); });\n";

/** Runs these files in one process, and those of `apart` in processes of their own. */
async function run(t: Test, shared: Readonly<Record<string, string>>, apart: Readonly<Record<string, string>> = {}) {
  const contents = Object.entries({ ...shared, ...apart }).map(([name, content]) => [`${name}.test.ts`, content]);
  const folder = t.testdir(Object.fromEntries(contents));
  const path = (name: string) => relative('.', join(folder, `${name}.test.ts`));
  const set = `of-a-test-${process.pid}`;
  t.teardown(() => rmSync(join('.tap/processes', set), { recursive: true, force: true }));
  const groups: Group[] = [
    { name: 'shared', files: Object.keys(shared).map(path), isAlone: false },
    ...Object.keys(apart).map((name) => ({ name: path(name), files: [path(name)], isAlone: true })),
  ];
  const { code, after } = await runProgram(set, groups);
  return { code, after, missing: [...after.matchAll(/FAILED: \S*\/(\w+)\.test\.ts/g)].map(([, name]) => name) };
}

/** Gives the exit code, and what is said after the tests. */
async function runProgram(set: string, groups: readonly Group[]) {
  const program = `import { runGroups } from ${JSON.stringify(RUN_GROUPS)};
    process.exitCode = runGroups('${set}', ${JSON.stringify(groups)}, ['--reporter=tap']);`;
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP/.test(name)));
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  return { code, after: output.slice(output.indexOf('test files, the slowest:')) };
}

t.test('a run that holds ends with 0 and names its slowest files', async (t) => {
  const { code, after, missing } = await run(t, { one: GOOD, two: GOOD }, { three: GOOD });
  t.same([code, missing], [0, []]);
  for (const name of ['one', 'two', 'three']) t.match(after, new RegExp(`\\d s {2}\\S*/${name}\\.test\\.ts`));
});

const PLAIN = `import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import t from 'tap';
const options = "require('node:worker_threads').parentPort.postMessage(process.execArgv)";
t.test('neither a process of tests nor a thread of it records what it loads', async (t) => {
  t.match(process.execArgv, [/enable-source-maps/, /tsx/, /plain-children/]);
  t.same(await once(new Worker(options, { eval: true }), 'message'), [[]]);
  t.same(await once(new Worker(options, { eval: true, execArgv: ['--no-warnings'] }), 'message'), [['--no-warnings']]);
});
`;

t.test('tests and their threads start without what tap loads for coverage', async (t) => {
  t.same((await run(t, { one: PLAIN, two: PLAIN }, { three: PLAIN })).code, 0);
});

t.test('a failure fails the run, beside others and apart', async (t) => {
  for (const [shared, apart] of [
    [{ one: GOOD, two: BAD }, {}],
    [{ one: GOOD, two: GOOD }, { three: BAD }],
  ] as const) {
    const { code, missing } = await run(t, shared, apart);
    t.same([code, missing], [1, []]);
  }
});

t.test('a group runs in its environment, and its files are told apart from the same ones of another', async (t) => {
  const folder = t.testdir({
    'one.test.ts': "import t from 'tap';\nt.test('it holds', async (t) => { t.equal(process.env.WANTED, 'yes'); });\n",
  });
  const path = relative('.', join(folder, 'one.test.ts'));
  const set = `of-a-test-${process.pid}`;
  t.teardown(() => rmSync(join('.tap/processes', set), { recursive: true, force: true }));
  const groups: Group[] = [
    { name: 'without', files: [path, path], isAlone: false },
    { name: 'with', files: [path], isAlone: false, environment: { WANTED: 'yes' } },
  ];
  const { code, after } = await runProgram(set, groups);
  t.equal(code, 1, 'it fails without');
  t.match(after, /\d s {2}\S*\/one\.test\.ts\n/);
  t.match(after, /\d s {2}\S*\/one\.test\.ts in with\n/);
  t.notMatch(after, /FAILED/);
});

t.test('the processes of a pool run each file once, and one that dies fails the run with its file alone', async (t) => {
  for (const [name, content] of [
    ['good', GOOD],
    ['dies', DIES],
  ] as const) {
    const others = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`file${index}.test.ts`, GOOD]));
    const folder = t.testdir({ ...others, [`${name}.test.ts`]: content });
    const files = [...Object.keys(others), `${name}.test.ts`].map((file) => relative('.', join(folder, file)));
    const set = `of-a-test-${process.pid}`;
    t.teardown(() => rmSync(join('.tap/processes', set), { recursive: true, force: true }));
    const pool = { name: 'pool', filesMax: 4 };
    const groups: Group[] = [1, 2, 3].map((part) => ({ name: `pool-${part}`, files, pool, isAlone: false }));
    const { code, after } = await runProgram(set, groups);
    t.equal(code, name === 'good' ? 0 : 1);
    for (const file of files) {
      const isLost = file.endsWith('dies.test.ts');
      t.equal(after.match(new RegExp(`\\d s {2}${file}$`, 'gm'))?.length ?? 0, isLost ? 0 : 1, file);
      t.equal(after.includes(`FAILED: ${file} did not run to its end`), isLost, file);
    }
  }
});

t.test('a process that dies fails the run, with every file that has not run', async (t) => {
  const { code, missing } = await run(t, { one: GOOD, two: DIES, three: GOOD, four: GOOD });
  t.same([code, missing], [1, ['two', 'three', 'four']]);
});

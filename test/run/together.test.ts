import { spawn } from 'node:child_process';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';

const TOGETHER = join(import.meta.dirname, 'together.ts');

/** Runs files of these names and contents in one process; gives its whole output without what differs between runs. */
async function together(t: Test, contents: Readonly<Record<string, string>>) {
  const names = Object.keys(contents);
  const folder = t.testdir({
    ...Object.fromEntries(names.map((name) => [`${name}.test.ts`, `import t from 'tap';\n${contents[name]}\n`])),
    'entry.ts': '',
  });
  const files = names.map((name) => relative('.', join(folder, `${name}.test.ts`)));
  const program = `import { runTogether } from ${JSON.stringify(TOGETHER)};
    runTogether(${JSON.stringify(files)}, { fileMsMax: 3_000, closingMsMax: 500 });`;
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TAP')));
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  /** The lines about files. */
  const ends = [...output.matchAll(/^(not ok|ok) \d+ - (?:\S*\/)?(\w+)\.test\.ts(?: # time=.*)?$/gm)].map(
    ([, how, name]) => `${how} ${name}`,
  );
  return { output, errors, code, ends };
}

const PASSES = "t.test('it holds', async (t) => { t.ok(true); });";

t.test('each file is told by its name, with its own tests', async (t) => {
  const { code, ends, output } = await together(t, { one: PASSES, two: PASSES });
  t.same([code, ends], [0, ['ok one', 'ok two']]);
  t.equal(output.match(/^ {8}ok 1 - it holds|^ {4}ok 1 - it holds/gm)?.length, 2);
});

t.test('a file that fails fails the process, under its name, and the others run', async (t) => {
  const { code, ends } = await together(t, {
    asserts: "t.test('it does not hold', async (t) => { t.ok(false); });",
    throws: "throw new Error('at once');",
    loads: "import './absent.ts';",
    rejects: "t.test('later', async () => { await null; throw new Error('later'); });",
    good: PASSES,
  });
  t.equal(code, 1);
  t.same(ends, ['not ok asserts', 'not ok throws', 'not ok loads', 'not ok rejects', 'ok good']);
});

t.test('an error that is not caught fails the process', async (t) => {
  const { code, output, ends } = await together(t, {
    loud: "t.test('it ends first', async () => { setTimeout(() => { throw new Error('nobody catches this'); }, 50); });",
    good: PASSES,
  });
  t.equal(code, 1);
  t.match(output, /^not ok .*nobody caught: Error: nobody catches this.*loud\.test\.ts/m);
  t.ok(ends.includes('ok good'));
});

t.test('a file that hangs is ended in its time, under its name, and the others run', async (t) => {
  const { code, ends } = await together(t, {
    hangs: "t.test('for ever', async () => { await new Promise((resolve) => setTimeout(resolve, 3_200)); });",
    waits: 'await new Promise((resolve) => setTimeout(resolve, 3_200));',
    good: PASSES,
  });
  t.equal(code, 1);
  for (const end of ['not ok hangs', 'not ok waits', 'ok good']) t.ok(ends.includes(end), `${end}: ${ends}`);
  for (const end of ['ok hangs', 'ok waits']) t.notOk(ends.includes(end), `${ends}`);
});

t.test('a process that is left fails, under the name of the file that left it', async (t) => {
  const { code, ends } = await together(t, {
    before: PASSES,
    leaves: "t.test('it goes', async () => process.exit(0));",
    after: PASSES,
  });
  t.not(code, 0);
  t.same(ends, ['ok before', 'not ok leaves'], 'that others have not run is seen by whoever knows of them');
});

t.test('hooks, teardown and folder are those of the file', async (t) => {
  const { code, ends, output } = await together(t, {
    first: `import { existsSync } from 'node:fs';
      t.beforeEach(() => console.log('# first begins'));
      t.teardown(() => console.log('# first is over, with its folder: ' + existsSync(t.testdirName)));
      const folder = t.testdir({ 'a.txt': 'a' });
      t.test('it has its folder', async (t) => { t.equal(existsSync(folder + '/a.txt'), true); t.not(t.testdir(), folder); });`,
    second: `import { existsSync } from 'node:fs';
      t.teardown(() => console.log('# second is over'));
      t.test('the folder of the first is gone', async (t) => {
        t.notOk(existsSync(t.parent.testdirName.replace('second', 'first')));
        console.log('# second looks');
      });`,
  });
  t.same([code, ends], [0, ['ok first', 'ok second']], output);
  const told = [...output.matchAll(/^\s*# (first .*|second .*)$/gm)].map(([, what]) => what);
  t.same(told, ['first begins', 'first is over, with its folder: true', 'second looks', 'second is over']);
});

t.test('a request that never ends is told, and does not hold up what follows', async (t) => {
  const { code, output, ends } = await together(t, {
    asks: `import { createServer } from 'node:http';
      const server = createServer(() => undefined).listen(0);
      t.test('it does not wait for its answer', async () => {
        void fetch('http://127.0.0.1:' + server.address().port).catch(() => undefined);
        await new Promise((resolve) => server.once('request', resolve));
      });`,
    good: PASSES,
  });
  t.not(code, 0);
  t.match(output, /asks\.test\.ts has ended and leaves open: TCP/);
  t.ok(ends.includes('ok good'));
});

t.test('a file that leaves something open or changed behind has failed', async (t) => {
  const { code, output, ends } = await together(t, {
    timer: "t.test('it sets a timer', async () => { setTimeout(() => undefined, 5_000); });",
    variable: "t.test('it sets a variable', async () => { process.env.LEFT_BEHIND = 'x'; });",
    good: PASSES,
  });
  t.equal(code, 1);
  t.match(output, /timer\.test\.ts has ended and leaves open: Timeout/);
  t.match(output, /variable\.test\.ts has ended and leaves changed in the environment: LEFT_BEHIND/);
  t.ok(ends.includes('ok good'));
});

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { execute } from '../support/built-package.ts';

/** A copy of the service, as a clone has it after `npm ci`. */
function clone(t: Test) {
  const root = t.testdir({});
  const isSource = (name: string) => !/node_modules|\bdist\b/.test(name);
  for (const name of ['client', 'protocol', 'server'])
    cpSync(name, join(root, name), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(root, name));
  // The packages of the project are to be those of the copy.
  mkdirSync(join(root, 'node_modules/@runcloud'), { recursive: true });
  for (const name of readdirSync('node_modules')) {
    if (name !== '@runcloud') symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name));
  }
  symlinkSync('../../protocol', join(root, 'node_modules/@runcloud/protocol'));
  const packages = join(root, 'server/node_modules');
  mkdirSync(packages);
  for (const name of readdirSync('server/node_modules')) {
    if (!name.startsWith('.')) symlinkSync(resolve('server/node_modules', name), join(packages, name));
  }
  const run = async (...args: readonly string[]) =>
    (await execute(process.execPath, [join(root, 'server/run.mjs'), ...args])).stdout;
  const change = (name: string, from: string, to: string) => {
    const file = join(root, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`);
    writeFileSync(file, text.replace(from, to));
    const past = new Date(Date.now() - 30_000);
    utimesSync(file, past, past);
  };
  const cache = join(packages, '.cache/runcloud');
  return { root, run, change, packages, index: () => readFileSync(join(cache, 'index.json'), 'utf8') };
}

t.test('a program is bundled once, and again after a change of a source', async (t) => {
  const { run, change, index } = clone(t);
  t.match(await run('admin', '--help'), /certify/);
  const first = index();
  t.match(await run('admin', '--help'), /certify/);
  t.equal(index(), first, 'nothing was bundled again');

  change('server/admin.ts', 'print this help', 'print this changed help');
  t.match(await run('admin', '--help'), /print this changed help/);
  t.not(index(), first);
});

t.test('several first starts at once all run', async (t) => {
  const { run } = clone(t);
  for (const help of await Promise.all([run('admin', '--help'), run('admin', '--help'), run('admin', '--help')])) {
    t.match(help, /certify/);
  }
});

t.test('where nothing can be written, the sources run as they are', async (t) => {
  const { run, change, packages } = clone(t);
  rmSync(join(packages, '.cache'), { recursive: true, force: true });
  writeFileSync(join(packages, '.cache'), 'no folder');
  change('server/admin.ts', 'print this help', 'print this other help');
  t.match(await run('admin', '--help'), /print this other help/);
});

t.test('a fault names the source and its line', async (t) => {
  const { root, run, change } = clone(t);
  change(
    'server/admin.ts',
    'const args = process.argv.slice(2);',
    "const args = process.argv.slice(2);\nif (args[0] === 'fault') setImmediate(() => { throw new Error('a fault'); });",
  );
  const line = readFileSync(join(root, 'server/admin.ts'), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes("'fault'"));
  const said = await run('admin', 'fault').catch(({ stderr }: { readonly stderr: string }) => stderr);
  t.match(said, `server/admin.ts:${line + 1}:`);
});

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t, { type Test } from 'tap';
import { execute } from '../../support/built-package.ts';

/** A copy of what the command line is made of, as a clone has it after `npm ci`. */
function clone(t: Test) {
  const root = t.testdir({});
  const isSource = (name: string) => !/node_modules|\bdist\b/.test(name);
  for (const name of ['client', 'protocol']) cpSync(name, join(root, name), { recursive: true, filter: isSource });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(root, name));
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  mkdirSync(join(root, 'client/node_modules'));
  symlinkSync(resolve('client/node_modules/env-paths'), join(root, 'client/node_modules/env-paths'));
  const run = async (...args: readonly string[]) =>
    (await execute(process.execPath, [join(root, 'client/bin/runcloud.js'), ...args])).stdout;
  const cache = join(root, 'client/node_modules/.cache/runcloud');
  return { root, run, cache, bundles: () => readdirSync(cache).filter((name) => name !== 'index.json') };
}

t.test('a clone runs its sources without a build, and as they are after a change', async (t) => {
  const { root, run, cache, bundles } = clone(t);
  const { version } = JSON.parse(readFileSync('client/package.json', 'utf8'));
  t.equal(await run('version'), `${version}\n`);
  const index = join(cache, 'index.json');
  const known = () => readFileSync(index, 'utf8');
  const first = known();
  t.match(await run('version', '--json'), `{"version":"${version}"}`);
  t.equal(known(), first, 'nothing was bundled again');
  t.equal(bundles().length, 1);

  const program = join(root, 'client/cli/program.ts');
  writeFileSync(program, readFileSync(program, 'utf8').replace('Remote control of iOS', 'Changed control of iOS'));
  const past = new Date(Date.now() - 30_000);
  utimesSync(program, past, past);
  t.match(await run('--help'), /Changed control of iOS/);
  t.not(known(), first);
  t.match(await run(), /Changed control of iOS/);
});

t.test('a clone that nothing can be written to runs as well', async (t) => {
  const { run, cache } = clone(t);
  rmSync(cache, { recursive: true, force: true });
  writeFileSync(join(cache, '../..', '.cache'), 'no folder');
  t.match(await run('version'), /^\d+\.\d+\.\d+\n$/);
});

import { readFileSync } from 'node:fs';
import t from 'tap';
import { nodeFault } from '../server/node-version.ts';
import { Program, temporaryDataDir } from './support/server-process.ts';

const enginesOf = (folder: string): string =>
  (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { engines: { node: string } }).engines.node;

t.test('every package names the same oldest Node.js, and no newest', async (t) => {
  t.same(['.', 'server', 'client', 'protocol', 'bench/peers'].map(enginesOf), Array(5).fill('>=20.15'));
});

t.test('a Node.js is too old or is not', async (t) => {
  const range = enginesOf('server');
  for (const version of ['v20.14.0', 'v20.0.0', 'v18.20.4', 'v19.99.9']) {
    t.equal(nodeFault(version, range), `Node.js ${version} is too old: 20.15 or newer is needed`);
  }
  for (const version of ['v20.15.0', 'v20.20.2', 'v22.0.0', 'v24.1.0', process.version]) {
    t.equal(nodeFault(version, range), undefined, version);
  }
});

t.test('on one that is too old neither program starts, and both say so in one line', async (t) => {
  const data = temporaryDataDir();
  t.teardown(data.remove);
  const older = 'data:text/javascript,Object.defineProperty(process,"version",{value:"v20.14.0"})';
  const environment = { NODE_OPTIONS: `--import=${older.replaceAll('"', '%22')}`, RUNCLOUD_DATA_DIR: data.path };
  for (const name of ['main', 'admin']) {
    const program = new Program(name, [], environment);
    t.match(await program.ended, { code: 1 }, name);
    t.equal(program.stderr, 'runcloud: Node.js v20.14.0 is too old: 20.15 or newer is needed\n', name);
    t.equal(program.stdout, '', name);
  }
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { NEWER_NODES } from './sets.ts';

/**
 * Proves that the service runs on other versions of Node.js: `npm run prove:node -- 22 24`. For each version it takes the
 * program from npm's package `node`, and runs the tests of the set `nodes` by it, in this folder.
 */
const PLACE = '.tap/nodes';

function run(
  what: string,
  command: string,
  args: readonly string[],
  options: { cwd?: string; path?: string } = {},
): void {
  const { cwd = '.', path } = options;
  const PATH = [...(path === undefined ? [] : [path]), process.env.PATH].join(delimiter);
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, PATH }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${what} failed`);
}

/** The folder of the program. */
function install(version: string): string {
  const folder = join(PLACE, version);
  if (!existsSync(join(folder, 'node_modules/node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run('npm', 'npm', ['install', `node@${version}`, '--no-audit', '--no-fund'], { cwd: folder });
  }
  return resolve(folder, 'node_modules/node/bin');
}

function prove(version: string): boolean {
  const bin = install(version);
  const node = join(bin, 'node');
  try {
    run('node', node, ['--version']);
    const path = `${bin}${delimiter}${resolve('node_modules/.bin')}`;
    run('the set', node, ['--import=tsx', 'test/run/main.ts', 'nodes', '--reporter=terse'], { path });
    return true;
  } catch {
    return false;
  }
}

const versions = process.argv.slice(2);
const failed = (versions.length > 0 ? versions : NEWER_NODES).filter((version) => !prove(version));
for (const version of failed) console.error(`FAILED on Node.js ${version}`);
process.exitCode = failed.length === 0 ? 0 : 1;

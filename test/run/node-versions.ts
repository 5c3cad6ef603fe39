import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { NEWER_NODES } from './sets.ts';

/**
 * Proves that the service runs on other versions of Node.js: `npm run prove:node -- 22 24`. For each version it takes the
 * program from npm's package `node`, clones what is committed here, installs the clone by that Node.js as README says, and
 * runs the tests of the set `nodes` there.
 */
const PLACE = '.tap/nodes';

function run(command: string, args: readonly string[], { cwd = '.', bin = '' } = {}): void {
  const PATH = [...(bin === '' ? [] : [bin]), process.env.PATH].join(delimiter);
  const { status } = spawnSync(command, args, { cwd, env: { ...process.env, PATH }, stdio: 'inherit' });
  if (status !== 0) throw new Error(`\`${[command, ...args].join(' ')}\` failed`);
}

/** The folder of the program. */
function install(version: string): string {
  const folder = join(PLACE, version);
  if (!existsSync(join(folder, 'node_modules/node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', `node@${version}`, '--no-audit', '--no-fund'], { cwd: folder });
  }
  return resolve(folder, 'node_modules/node/bin');
}

function prove(version: string): boolean {
  // Outside of this folder, where a package that the clone lacks would be found.
  const clone = mkdtempSync(join(tmpdir(), `runcloud-node-${version}-`));
  try {
    const there = { cwd: clone, bin: install(version) };
    run('node', ['--version'], there);
    run('git', ['clone', '--quiet', resolve('.'), clone]);
    run('npm', ['ci'], there);
    run('npx', ['tap', 'build'], there);
    run('npm', ['run', 'tests', 'nodes', '--', '--reporter=terse'], there);
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}

const versions = process.argv.slice(2);
const failed = (versions.length > 0 ? versions : NEWER_NODES).filter((version) => !prove(version));
for (const version of failed) console.error(`FAILED on Node.js ${version}`);
process.exitCode = failed.length === 0 ? 0 : 1;

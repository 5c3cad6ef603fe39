import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { NEWER_NODES } from './sets.ts';

/**
 * Proves that the service runs on other versions of Node.js: `npm run prove:node -- 22 24`. For each version it takes the
 * program and its headers from npm's package `node`, builds the binding of SQLite for it from source (which needs Python and a
 * C++ compiler), and runs the tests of the set `nodes` in a copy of this folder. Everything else that is native fits any version.
 */
const PLACE = '.tap/nodes';
/** Depends on the version of Node.js. */
const BUILT = 'better-sqlite3';

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

/** The folders of the program and of its headers. */
function install(version: string, folder: string): { bin: string; headers: string } {
  if (!existsSync(join(folder, 'node_modules/node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    run('npm', 'npm', ['install', `node@${version}`, '--no-audit', '--no-fund'], { cwd: folder });
  }
  // The package brings another one for this system, inside of itself or beside it.
  for (const place of [join(folder, 'node_modules/node/node_modules'), join(folder, 'node_modules')]) {
    const found = existsSync(place) ? readdirSync(place) : [];
    const name = found.find((entry) => existsSync(join(place, entry, 'include/node/node.h')));
    if (name !== undefined) return { bin: resolve(place, name, 'bin'), headers: resolve(place, name) };
  }
  throw new Error(`npm's package node@${version} has no headers for ${process.platform}-${process.arch}`);
}

function build(folder: string, { bin, headers }: { bin: string; headers: string }): string {
  const copy = join(folder, BUILT);
  const { version } = JSON.parse(readFileSync(join('node_modules', BUILT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const mark = join(copy, 'built-for');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === version) return copy;
  rmSync(copy, { recursive: true, force: true });
  cpSync(join('node_modules', BUILT), copy, { recursive: true, filter: (path) => !path.endsWith('/build') });
  const gyp = resolve('node_modules/.bin/node-gyp');
  run(`building ${BUILT}`, gyp, ['rebuild', '--release', `--nodedir=${headers}`], { cwd: copy, path: bin });
  writeFileSync(mark, version);
  return copy;
}

/** A copy of what git knows, with the packages of this folder, but for the one that was built. */
function copyOf(folder: string, built: string): string {
  const copy = join(folder, 'runcloud');
  rmSync(copy, { recursive: true, force: true });
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const file of listed.stdout.split('\0')) if (file !== '' && existsSync(file)) cpSync(file, join(copy, file));
  const packages = join(copy, 'node_modules');
  mkdirSync(packages, { recursive: true });
  // The parts of this repository are those of the copy.
  const own: Readonly<Record<string, string>> = { '@runcloud': '', runcloud: '../client', [BUILT]: resolve(built) };
  for (const name of readdirSync('node_modules')) {
    if (!(name in own)) symlinkSync(resolve('node_modules', name), join(packages, name));
    else if (own[name] !== '') symlinkSync(own[name] ?? '', join(packages, name));
  }
  mkdirSync(join(packages, '@runcloud'));
  for (const name of ['protocol', 'server']) symlinkSync(`../../${name}`, join(packages, '@runcloud', name));
  for (const part of ['client', 'server']) {
    const inner = join(part, 'node_modules');
    if (existsSync(inner)) symlinkSync(resolve(inner), join(copy, inner));
  }
  return copy;
}

function prove(version: string): boolean {
  const folder = join(PLACE, version);
  const program = install(version, folder);
  const copy = copyOf(folder, build(folder, program));
  const node = join(program.bin, 'node');
  const tap = resolve('node_modules/.bin');
  try {
    run('node', node, ['--version']);
    run('the set', node, ['--import=tsx', 'test/run/main.ts', 'nodes', '--reporter=terse'], {
      cwd: copy,
      path: `${dirname(node)}${delimiter}${tap}`,
    });
    return true;
  } catch {
    return false;
  }
}

const versions = process.argv.slice(2);
const failed = (versions.length > 0 ? versions : NEWER_NODES).filter((version) => !prove(version));
for (const version of failed) console.error(`FAILED on Node.js ${version}`);
process.exitCode = failed.length === 0 ? 0 : 1;

import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { compilerProgram } from '../../client/build/declarations.ts';

/** This process's environment, without what tap tells its children. */
const { PATH = '', HOME = '' } = process.env;
const run = promisify(execFile);

/** Runs a program; rejects where it fails. */
export const execute = (program: string, args: readonly string[], options: { cwd?: string; env?: object } = {}) =>
  run(program, args, { timeout: 60_000, ...options, env: { PATH, HOME, ...options.env } });

/** The `dist` folder that is published, made in a folder of the test's own. */
export async function buildPackage(t: Test): Promise<string> {
  const dist = join(t.testdir({}), 'dist');
  await execute(process.execPath, ['--import', 'tsx', 'client/build/main.ts', dist]);
  return dist;
}

/** A project that has the package installed, with what npm installs along with it. */
export function projectWith(dist: string): string {
  const folder = join(dirname(dist), 'project');
  const installed = join(folder, 'node_modules', 'runcloud');
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  mkdirSync(installed);
  copyFileSync('client/package.json', join(installed, 'package.json'));
  cpSync('client/bin', join(installed, 'bin'), { recursive: true });
  symlinkSync(dist, join(installed, 'dist'));
  const others = ['ws', 'commander', 'cli-progress', '@types/node', 'undici-types', 'react', '@types/react', 'csstype'];
  for (const name of [...others, '@types/prop-types']) {
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  }
  symlinkSync(resolve('client/node_modules/env-paths'), join(folder, 'node_modules', 'env-paths'));
  return folder;
}

/** The strictest options that a program can have; declarations of packages are checked as well. */
const STRICTEST = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  preserveSymlinks: true,
};

/** The compiler's complaints about a program's files, which it finds in `folder`; none if they are correct. */
export async function complaintsAbout(folder: string, files: readonly string[], options: object): Promise<string> {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICTEST, ...options }, files }),
  );
  const failed = ({ stdout }: { readonly stdout: string }) => ({ stdout });
  return (await execute(await compilerProgram(), ['--project', folder]).catch(failed)).stdout;
}

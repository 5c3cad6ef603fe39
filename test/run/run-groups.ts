import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Group, JOBS } from './groups.ts';
import { resultsOf } from './results.ts';

const PROCESSES = '.tap/processes';
const RESULTS = '.tap/test-results';
const SLOWEST = 10;

const TOGETHER = fileURLToPath(new URL('together.ts', import.meta.url));
const UNCLAIMED = fileURLToPath(new URL('unclaimed.ts', import.meta.url));
const TAP = [
  `--import=${new URL('no-recorder.mjs', import.meta.url)}`,
  fileURLToPath(new URL('run.mjs', import.meta.resolve('tap'))),
];

/** The file that tap starts for a group. */
function entryOf({ name, files, environment, pool }: Group, folder: string): string {
  if (files.length === 1 && !environment) return files[0] ?? '';
  const path = join(folder, `${name}.ts`);
  const list = JSON.stringify(files, null, 2);
  const lines = [`import { runTogether } from '${relative(folder, TOGETHER)}';`];
  if (pool) lines.push(`import { unclaimed } from '${relative(folder, UNCLAIMED)}';`);
  if (environment) lines.push(`Object.assign(process.env, ${JSON.stringify(environment)});`);
  if (pool) {
    const claims = join(folder, 'claims', pool.name);
    mkdirSync(claims, { recursive: true });
    lines.push(`runTogether(unclaimed(${list}, '${claims}', ${pool.filesMax}));`);
  } else lines.push(`runTogether(${list});`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

/**
 * Runs groups by `tap run`, first side by side, then in turn what has to be alone, and tells which files took longest. A file that did not tell its end has failed, whatever its
 * process said of itself. Returns the exit code. What tap is told of the processes, and writes of them, has the name of
 * the set, so that one set leaves the results of another.
 */
export function runGroups(set: string, groups: readonly Group[], options: readonly string[] = []): number {
  const folder = join(PROCESSES, set);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const entries = new Map(groups.map((group) => [entryOf(group, folder), group]));
  const output = (entry: string) => join(RESULTS, `${entry}.tap`);
  for (const entry of entries.keys()) rmSync(output(entry), { force: true });

  /** Runs those that are alone, or that are not. */
  const isGreen = (alone: boolean) => {
    const part = [...entries].filter(([, { isAlone }]) => isAlone === alone).map(([entry]) => entry);
    const args = [...TAP, 'run', `--jobs=${alone ? 1 : JOBS}`, ...options, ...part];
    return part.length === 0 || spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0;
  };
  const green = [isGreen(false), isGreen(true)];

  const told = [...entries].flatMap(([entry, group]) => {
    const results = existsSync(output(entry)) ? resultsOf(readFileSync(output(entry), 'utf8'), group.files) : [];
    return results.map((result) => ({ ...result, file: nameIn(group, result.file) }));
  });
  console.log(`\n${told.length} test files, the slowest:`);
  for (const { file, tookMs } of told.toSorted((one, other) => other.tookMs - one.tookMs).slice(0, SLOWEST)) {
    console.log(`${(tookMs / 1_000).toFixed(1).padStart(8)} s  ${file}`);
  }
  const ended = new Set(told.map(({ file }) => file));
  const expected = new Set(groups.flatMap((group) => group.files.map((file) => nameIn(group, file))));
  const missing = [...expected].filter((file) => !ended.has(file));
  for (const file of missing) console.log(`FAILED: ${file} did not run to its end`);
  return missing.length === 0 && told.every(({ ok }) => ok) && green.every(Boolean) ? 0 : 1;
}

/** A file as it is told: with its environment, in which it may run once more. */
const nameIn = ({ name, environment, pool }: Group, file: string): string =>
  environment ? `${file} in ${pool?.name ?? name}` : file;

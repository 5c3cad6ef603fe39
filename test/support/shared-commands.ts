import { join } from 'node:path';
import type { Test } from 'tap';
import { commandLine } from './command-line.ts';
import { TEST_KEY } from './server.ts';

/** Command lines that share a remembered session. */
export function sharedCommands(t: Test, url: string) {
  const folder = t.testdir({});
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: url };
  const all: string[] = [];
  const run = async (args: readonly string[], options: object = {}) => {
    const finished = await commandLine(args, { env, stateFolder: join(folder, 'state'), ...options });
    all.push(finished.stdout, finished.stderr);
    return finished;
  };
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    if (code !== 0 || stderr !== '' || !/^\{.*\}\n$/.test(stdout))
      throw new Error(`${args}: ${code} ${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  return { folder, env, run, json, all };
}

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { runTool } from '../../../server/drivers/process/run-tool.ts';

const tools = { PATH: '/usr/bin:/bin' };
const sh = (script: string, options: Partial<Parameters<typeof runTool>[2]> = {}) =>
  runTool('/bin/sh', ['-c', script], { tools, timeoutMs: 10_000, ...options });

/** Whether a process lives: its number is told by the script that is it. */
const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Waits until a condition is true, for at most twenty seconds. */
async function until(fits: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 1_000 && !fits(); tries++) await sleep(20);
  return fits();
}

t.test('a program runs to its end and says how it ended, whatever that is', async (t) => {
  const { exitCode, stdout, stderr } = await sh('printf out; printf err >&2; exit 3');
  t.same([exitCode, stdout.toString(), stderr], [3, 'out', 'err']);
  t.equal((await sh('cat', { input: 'given' })).stdout.toString(), 'given');
  t.equal((await sh('exit 0', { input: 'x'.repeat(1_000_000) })).exitCode, 0, 'also when it does not read its input');
});

t.test('it is told nothing of the environment but what is meant for it', async (t) => {
  process.env.RUNCLOUD_TEST_SECRET = 'secret';
  const { stdout } = await sh('env');
  delete process.env.RUNCLOUD_TEST_SECRET;
  t.notMatch(stdout.toString(), /RUNCLOUD_TEST_SECRET/);
  // The runner of these tests adds variables of its own to every child.
  const names = new Set(
    stdout
      .toString()
      .split('\n')
      .map((line) => line.split('=')[0]),
  );
  t.ok(names.has('PATH'));
  for (const name of Object.keys(process.env)) {
    if (!/TAP|NODE|^(PATH|PWD|SHLVL|OLDPWD|_)$/.test(name)) t.notOk(names.has(name), name);
  }
});

t.test('a tool that takes too long is ended with all processes that it has started', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-tool-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const inner = () => (existsSync(`${folder}/inner`) ? Number(readFileSync(`${folder}/inner`, 'utf8')) : 0);
  const script = `/bin/sh -c 'trap "" TERM; echo $$ > ${folder}/inner; while :; do sleep 1; done' & echo $! ; wait`;
  // On a busy machine it takes a while until it has started anything.
  for (const timeoutMs of [400, 4_000, 30_000]) {
    const fault = await sh(script, { timeoutMs }).catch((error: unknown) => error);
    t.match(fault, { kind: 'unavailable', message: `did not end within ${timeoutMs} ms` });
    if (inner() > 0) break;
  }
  t.ok(inner() > 0);
  t.ok(await until(() => !lives(inner())), 'also one that does not listen');
  t.ok(await until(() => runningChildren() === 0));
});

t.test('a tool with too much output is ended', async (t) => {
  await t.rejects(sh('yes', { outputBytesMax: 100_000 }), { name: 'DeviceFault', kind: 'nonsense' });
  await t.rejects(sh('yes >&2', { outputBytesMax: 100_000 }), { name: 'DeviceFault', kind: 'nonsense' });
});

t.test('a tool is ended when its call is aborted, and not started if the call was aborted before', async (t) => {
  const abort = new AbortController();
  const running = sh('sleep 30', { signal: abort.signal });
  setTimeout(() => abort.abort(), 50);
  await t.rejects(running, { name: 'DeviceFault', kind: 'aborted' });
  await t.rejects(sh('exit 0', { signal: abort.signal }), { name: 'DeviceFault', kind: 'aborted' });
});

t.test('a tool that is missing or killed is reported in one line', async (t) => {
  const absent = runTool('/nowhere/adb', [], { tools, timeoutMs: 1_000 });
  await t.rejects(absent, { name: 'DeviceFault', kind: 'unavailable', message: /`adb` cannot be started/ });
  await t.rejects(sh('kill -9 $$'), { name: 'DeviceFault', kind: 'unavailable', message: /SIGKILL/ });
});

t.test('nothing is left when all have ended', async (t) => {
  t.ok(await until(() => runningChildren() === 0));
});

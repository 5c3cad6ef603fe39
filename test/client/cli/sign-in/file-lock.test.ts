import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { FileLock } from '../../../../client/cli/sign-in/file-lock.ts';

const never = () => new AbortController().signal;

function place(t: Test) {
  const folder = t.testdir({});
  return { folder, path: join(folder, 'a.lock') };
}

/** Leaves the lock as a holder does that has not given it back. */
function leave(path: string, text: string, name = 'left'): string {
  mkdirSync(path);
  writeFileSync(join(path, name), text);
  return join(path, name);
}

t.test('one after the other does its work, in whichever order, and nothing is left', async (t) => {
  const { folder, path } = place(t);
  let inside = 0;
  let most = 0;
  const work = async () => {
    inside++;
    most = Math.max(most, inside);
    await sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 20 }, () => new FileLock(path).hold(never(), work)));
  t.equal(most, 1);
  t.strictSame(readdirSync(folder), []);
});

t.test('work that fails gives the lock back, and its error on', async (t) => {
  const { path } = place(t);
  const lock = new FileLock(path);
  await t.rejects(
    lock.hold(never(), async () => {
      throw new Error('mine');
    }),
    { message: 'mine' },
  );
  t.equal(await lock.hold(never(), async () => 'next'), 'next');
});

t.test('a lock that a dead process left is taken away, by one of many', async (t) => {
  const { folder, path } = place(t);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  leave(path, JSON.stringify({ id: 'left', host: hostname(), pid }));
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await sleep(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 10 }, () => new FileLock(path).hold(never(), work)));
  t.equal(most, 1);
  t.strictSame(readdirSync(folder), []);
});

t.test('an empty one, which nobody holds, is no obstacle', async (t) => {
  const { folder, path } = place(t);
  mkdirSync(path);
  t.equal(await new FileLock(path).hold(never(), async () => 'taken'), 'taken');
  t.strictSame(readdirSync(folder), []);
});

t.test('a lock of another machine counts as left when it is older than any work', async (t) => {
  const { path } = place(t);
  const elsewhere = JSON.stringify({ id: 'left', host: `not ${hostname()}`, pid: 1 });
  const old = Date.now() / 1_000 - 31;
  for (const text of [elsewhere, 'damaged', '']) {
    utimesSync(leave(path, text), old, old);
    t.equal(await new FileLock(path).hold(never(), async () => 'taken'), 'taken');
  }
});

t.test('a lock that somebody holds is waited for, until the signal ends the wait', async (t) => {
  const { folder, path } = place(t);
  const holders = [
    { id: 'alive', host: hostname(), pid: process.pid },
    { id: 'elsewhere', host: `not ${hostname()}`, pid: 1 },
  ];
  for (const holder of holders) {
    leave(path, JSON.stringify(holder), holder.id);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 300);
    const refused = new FileLock(path).hold(controller.signal, async () => t.fail('it is held'));
    await t.rejects(refused, { message: 'enough' });
    t.strictSame(readdirSync(folder), ['a.lock'], 'it is still held');
    t.strictSame(readdirSync(path), [holder.id]);
    rmSync(path, { recursive: true });
  }
});

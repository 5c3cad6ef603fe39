import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { endLeftBehind, noteProgram } from '../../../server/drivers/process/left-behind.ts';
import { readAges } from '../../../server/drivers/process/process-ages.ts';

const tools = { PATH: '/usr/bin:/bin' };

/** A program that leads a group of its own, with a child that ignores what the leader ends by. */
function program(t: Test) {
  const child = spawn('/bin/sh', ['-c', 'trap "" TERM; sleep 60 & wait'], { detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  t.teardown(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
  });
  return { pid: child.pid ?? 0, ended };
}

/** The number of a process that is gone. */
async function goneOwner(): Promise<number> {
  const child = spawn('/bin/true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

function leave(folder: string, note: object): void {
  writeFileSync(join(folder, `${Math.random()}`), JSON.stringify(note));
}

const ownFolder = (t: Test) => {
  const folder = join(t.testdir(), 'notes');
  mkdirSync(folder, { mode: 0o700 });
  return folder;
};

const runs = (pid: number): boolean => {
  try {
    process.kill(-pid, 0);
    return true;
  } catch {
    return false;
  }
};

t.test('a program whose service is gone is ended with all that it has started, and its note is gone', async (t) => {
  const folder = ownFolder(t);
  const { pid, ended } = program(t);
  leave(folder, { pid, startedMs: Date.now(), owner: await goneOwner() });
  t.equal(await endLeftBehind(tools, folder), 1);
  t.same((await ended)[1], 'SIGKILL');
  t.same(readdirSync(folder), []);
  t.equal(await endLeftBehind(tools, folder), 0);
});

t.test('a note that is still being written is left to whoever writes it', async (t) => {
  const folder = ownFolder(t);
  writeFileSync(join(folder, '.4711-4712'), '');
  t.equal(await endLeftBehind(tools, folder), 0);
  t.same(readdirSync(folder), ['.4711-4712']);
});

t.test('a program of a service that runs is left alone, this one included, and so is its note', async (t) => {
  const folder = join(t.testdir(), 'made');
  const { pid } = program(t);
  const cancelTimer = noteProgram(pid, folder);
  leave(folder, { pid, startedMs: Date.now(), owner: process.ppid });
  t.equal(await endLeftBehind(tools, folder), 0);
  t.ok(runs(pid));
  t.equal(readdirSync(folder).length, 2);
  cancelTimer();
  cancelTimer();
  t.equal(readdirSync(folder).length, 1);
});

t.test('a process that was given the number of one that has ended is not touched', async (t) => {
  const folder = ownFolder(t);
  const { pid } = program(t);
  const owner = await goneOwner();
  leave(folder, { pid, startedMs: Date.now() - 60_000, owner });
  leave(folder, { pid, startedMs: Date.now() + 60_000, owner });
  t.equal(await endLeftBehind(tools, folder), 0);
  t.ok(runs(pid));
  t.same(readdirSync(folder), []);
});

t.test(
  'a program is known by its age also when the answer is late, whether it was asked for early or late',
  async (t) => {
    for (const script of ['told=$(/bin/ps "$@"); /bin/sleep 3.5; echo "$told"', '/bin/sleep 3.5; exec /bin/ps "$@"']) {
      const folder = ownFolder(t);
      const { pid, ended } = program(t);
      leave(folder, { pid, startedMs: Date.now(), owner: await goneOwner() });
      const slow = join(folder, '..', 'slow');
      mkdirSync(slow, { recursive: true });
      writeFileSync(join(slow, 'ps'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      t.equal(await endLeftBehind({ PATH: slow }, folder, [slow]), 1, script);
      await ended;
    }
  },
);

t.test('a note of this number from before this process began is one of another service', async (t) => {
  const folder = ownFolder(t);
  leave(folder, {
    pid: await goneOwner(),
    startedMs: Date.now() - process.uptime() * 1_000 - 5_000,
    owner: process.pid,
  });
  t.equal(await endLeftBehind(tools, folder), 0);
  t.same(readdirSync(folder), []);
});

t.test('a file that is no note ends no process', async (t) => {
  const folder = ownFolder(t);
  const owner = await goneOwner();
  for (const note of [
    { pid: 0, startedMs: Date.now(), owner },
    { pid: -1, startedMs: Date.now(), owner },
    { pid: 1, startedMs: Date.now(), owner },
    { pid: '2', startedMs: Date.now(), owner },
    { pid: 2.5, startedMs: Date.now(), owner },
    { startedMs: Date.now(), owner },
    [],
  ]) {
    leave(folder, note);
  }
  writeFileSync(join(folder, 'empty'), '');
  t.equal(await endLeftBehind(tools, folder), 0);
  t.same(readdirSync(folder), []);
  t.equal(await endLeftBehind(tools, join(folder, 'absent')), 0);
});

t.test('a folder that others could write to, or a link to one, is not read, and nothing is noted there', async (t) => {
  const folder = ownFolder(t);
  const { pid } = program(t);
  const link = join(t.testdirName, 'link');
  symlinkSync(folder, link);
  leave(folder, { pid, startedMs: Date.now(), owner: await goneOwner() });
  t.equal(await endLeftBehind(tools, link), 0);
  chmodSync(folder, 0o777);
  t.equal(await endLeftBehind(tools, folder), 0);
  noteProgram(pid, folder);
  t.equal(readdirSync(folder).length, 1);
  t.ok(runs(pid));
});

t.test('where nobody tells what runs, nothing is ended and the notes are kept', async (t) => {
  const folder = ownFolder(t);
  const { pid } = program(t);
  leave(folder, { pid, startedMs: Date.now(), owner: await goneOwner() });
  t.equal(await endLeftBehind({ PATH: '' }, folder, []), 0);
  t.ok(runs(pid));
  t.equal(readdirSync(folder).length, 1);
});

t.test('ages are read as POSIX has them, and nothing else is', async (t) => {
  const text = '  PID ELAPSED\n   12      00:07\n 4711 1-02:03:04\n  9 11:00:59 \n 8 7\n x 00:01\n';
  t.same(
    [...readAges(text)],
    [
      [12, 7_000],
      [4_711, 93_784_000],
      [9, 39_659_000],
    ],
  );
});

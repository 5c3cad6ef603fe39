import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { systemClock } from '../../server/flow/clock.ts';
import type { PackageAnswer } from '../../server/link/package-lines.ts';
import { PackageLate, PackageReader, PackageRefused } from '../../server/link/package-reader.ts';
import { startPackageLauncher, startPackageProcess } from '../../server/packages/package-process.ts';
import { iosFiles, iosPackage } from '../support/ios-package.ts';
import { rawZip } from '../support/raw-zip.ts';
import { zip } from '../support/zip.ts';

type Test = Pick<typeof t, 'teardown' | 'testdir'>;

/** The real processes, with as much memory as `heapMb` says. */
function open(t: Test, heapMb?: number) {
  const crashes: string[] = [];
  const losses: string[] = [];
  const before = new Set(launchers());
  const launcher = startPackageLauncher({ clock: systemClock, onLost: (reason) => losses.push(reason) });
  let started = 0;
  const reader = new PackageReader({
    spawn: () => {
      started++;
      return startPackageProcess(launcher, heapMb);
    },
    clock: systemClock,
    onCrash: (reason) => crashes.push(reason),
  });
  t.teardown(async () => {
    await reader.close();
    await launcher.close();
  });
  const launcherPids = () => launchers().filter((pid) => !before.has(pid));
  const pids = () => launcherPids().flatMap((pid) => guards(pid));
  return { reader, crashes, losses, launcher, launcherPids, pids, started: () => started };
}

/** The children of a process that run a program of this name. */
function children(of: number, program: string): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return rows.flatMap((row) => {
    const [pid, parent, ...args] = row.trim().split(/\s+/);
    return Number(parent) === of && args.some((arg) => arg.endsWith(program)) ? [Number(pid)] : [];
  });
}

const launchers = (of = process.pid): number[] => children(of, '/packages/launcher.mjs');
/** Processes that read packages. */
const guards = (of: number): number[] => children(of, '/packages/package-guard.mjs');

const fileOf = (t: Test, bytes: Buffer | string, name = 'app'): string => {
  const path = join(t.testdir(), name);
  writeFileSync(path, bytes);
  return path;
};

/** One that nobody has asked about its end is there by number only. */
const isThere = (pid: number): boolean =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim());

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error) => error);

t.test('a package is described and its checksum taken, in a process of its own', async (t) => {
  const { reader, pids } = open(t);
  const bytes = await iosPackage();
  const { checksum, app } = await reader.read('acme', fileOf(t, bytes), bytes.length);
  t.equal(checksum, createHash('sha256').update(bytes).digest('hex'));
  t.match(app, { platform: 'ios', name: 'Demo' });
  t.ok(app.icon instanceof Uint8Array);
  t.equal(pids().length, 1);
});

t.test('it gives way to whoever has a socket', async (t) => {
  const { reader, pids } = open(t);
  const bytes = await iosPackage();
  await reader.read('acme', fileOf(t, bytes), bytes.length);
  const [pid = 0] = pids();
  t.ok(getPriority(pid) > 0);
  // Linux alone has it, and not where it is told not to.
  const group = `/proc/${pid}/autogroup`;
  if (existsSync(group)) t.match(readFileSync(group, 'utf8'), / nice [1-9]/);
});

t.test('an invalid one is refused, and the process goes on; a file that is not there is a fault of ours', async (t) => {
  const { reader, started } = open(t);
  const bytes = await iosPackage();
  const folder = t.testdir();
  writeFileSync(join(folder, 'bad'), 'no archive');
  writeFileSync(join(folder, 'good'), bytes);
  t.ok((await outcome(reader.read('acme', join(folder, 'bad'), 10))) instanceof PackageRefused);
  const absent = await outcome(reader.read('acme', join(folder, 'absent'), 10));
  t.notOk(absent instanceof PackageRefused);
  t.match(absent, Error);
  t.match((await reader.read('acme', join(folder, 'good'), bytes.length)).app, { name: 'Demo' });
  t.equal(started(), 1);
});

t.test('a package for which there is not enough memory is refused, and the next one is read by another', async (t) => {
  const small = open(t, 20);
  const name = 'n'.repeat(1_000);
  const bytes = rawZip(Array.from({ length: 40_000 }, (_, index) => ({ name: `${name}${index}`, method: 0 })));
  const path = fileOf(t, bytes);
  const refused = await outcome(small.reader.read('acme', path, bytes.length));
  t.ok(refused instanceof PackageRefused, String(refused));
  t.match(refused, { message: /memory/ });
  await outcome(small.reader.read('acme', path, bytes.length));
  t.equal(small.started(), 2);
});

for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGKILL'] as const) {
  t.test(`a process that ends by ${signal} over a package refuses that one, and the next one is read`, async (t) => {
    const { reader, pids, crashes } = open(t);
    const folder = t.testdir();
    execFileSync('mkfifo', [join(folder, 'endless')]);
    const bytes = await iosPackage();
    writeFileSync(join(folder, 'good'), bytes);
    await reader.read('acme', join(folder, 'good'), bytes.length);
    const deadly = outcome(reader.read('acme', join(folder, 'endless'), 1));
    const [pid = 0] = pids();
    process.kill(pid, signal);
    const error = await deadly;
    t.ok(error instanceof PackageRefused);
    t.match(error, { message: 'The package cannot be read: what is in it ended the program that reads it.' });
    t.same(crashes, [`ended by ${signal}`]);
    t.match((await reader.read('acme', join(folder, 'good'), bytes.length)).app, { name: 'Demo' });
    t.notOk(pids().includes(pid));
  });
}

t.test('a package that costs more processor time than it may is refused by the process itself', async (t) => {
  const { launcher } = open(t);
  const port = startPackageProcess(launcher);
  const answers: PackageAnswer[] = [];
  port.onReceive((batch) => answers.push(...batch));
  const closed = new Promise<string>((resolve) => port.onClosed(resolve));
  await until(() => answers.length === 1);
  t.same(answers, [{ kind: 'ready' }]);
  // Its executable is large, and searched to its end.
  const bytes = await zip(iosFiles({ files: { Demo: Buffer.alloc(100 * 2 ** 20) } }), { compress: false });
  port.send([{ call: 7, path: fileOf(t, bytes), cpuMsMax: 10 }], []);
  t.equal(await closed, 'ended by SIGKILL');
  t.same(answers[1], { kind: 'refused', call: 7, message: 'The package takes too long to read.', last: true });
});

t.test(
  'it has bounds of the system, and nothing of the service but its channel',
  { skip: process.platform !== 'linux' && 'what a process has is told by /proc' },
  async (t) => {
    process.env.A_SECRET_OF_THE_SERVICE = 'secret';
    t.teardown(() => {
      delete process.env.A_SECRET_OF_THE_SERVICE;
    });
    const { reader, pids } = open(t);
    const bytes = await iosPackage();
    const path = fileOf(t, bytes);
    await reader.read('acme', path, bytes.length);
    const [pid = 0] = pids();
    const facts = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8');
    const limit = (name: string) =>
      facts('limits')
        .split('\n')
        .find((line) => line.startsWith(name))
        ?.slice(26)
        .split(/\s+/, 2);
    t.same(limit('Max core file size'), ['0', '0']);
    t.same(limit('Max cpu time'), ['600', '600']);
    t.same(limit('Max file size'), [`${2 ** 21}`, `${2 ** 21}`]);
    t.same(limit('Max open files'), ['64', '64']);
    t.same(limit('Max address space'), [`${6 * 2 ** 30}`, `${6 * 2 ** 30}`]);
    const names = facts('environ')
      .split('\0')
      .flatMap((entry) => entry.split('=', 1).filter((name) => name !== ''));
    const known = [
      'LANG',
      'MALLOC_ARENA_MAX',
      'OLDPWD',
      'PATH',
      'PWD',
      'TMPDIR',
      'UV_THREADPOOL_SIZE',
      'VIPS_CONCURRENCY',
    ];
    t.same(
      names.filter((name) => !known.includes(name)),
      [],
    );
    const open_ = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
    const own = open_.filter((target) => !/^(anon_inode|pipe):|^\/dev\/null$/.test(target));
    t.match(own, [/^socket:/], 'one stream');
    t.equal(own.length, 1);
    t.equal(Number(facts('stat').split(' ')[4]), pid, 'it leads a group of its own');
  },
);

t.test('a service that is killed leaves no process behind, whatever that is doing', async (t) => {
  const folder = t.testdir();
  execFileSync('mkfifo', [join(folder, 'endless')]);
  const args = ['--import', 'tsx', 'test/support/reading-service.ts', join(folder, 'endless')];
  const { PATH = '', HOME = '' } = process.env;
  const service = spawn(process.execPath, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => service.kill('SIGKILL'));
  await once(service.stdout, 'data');
  const [launcher = 0] = launchers(service.pid);
  const [pid = 0] = guards(launcher);
  t.ok(isThere(launcher) && isThere(pid));
  t.same(guards(service.pid ?? 0), [], 'the service itself starts none');
  service.kill('SIGKILL');
  await until(() => !isThere(launcher) && !isThere(pid));
});

t.test('a launcher that is killed over a package leaves no process, and no blame; the next one is read', async (t) => {
  const { reader, launcherPids, pids, crashes, losses } = open(t);
  const folder = t.testdir();
  execFileSync('mkfifo', [join(folder, 'endless')]);
  const bytes = await iosPackage();
  writeFileSync(join(folder, 'good'), bytes);
  await reader.read('acme', join(folder, 'good'), bytes.length);
  const interrupted = outcome(reader.read('acme', join(folder, 'endless'), 1));
  const [launcher = 0] = launcherPids();
  const [pid = 0] = pids();
  t.ok(isThere(pid));
  process.kill(launcher, 'SIGKILL');
  t.ok((await interrupted) instanceof PackageLate);
  t.same(losses, ['ended by SIGKILL']);
  t.same(crashes, []);
  t.match((await reader.read('acme', join(folder, 'good'), bytes.length)).app, { name: 'Demo' });
  await until(() => !isThere(pid));
  t.equal(launcherPids().length, 1);
  t.not(launcherPids()[0], launcher);
});

t.test('a package whose process is lost before it is ready may be sent again', async (t) => {
  const { reader, launcherPids } = open(t);
  const bytes = await iosPackage();
  const path = fileOf(t, bytes);
  const early = outcome(reader.read('acme', path, bytes.length));
  process.kill(launcherPids()[0] ?? 0, 'SIGKILL');
  t.ok((await early) instanceof PackageLate);
  t.match((await reader.read('acme', path, bytes.length)).app, { name: 'Demo' });
});

t.test('closing ends the launcher', async (t) => {
  const { reader, launcher, launcherPids, losses } = open(t);
  reader.warm();
  const [pid = 0] = launcherPids();
  t.ok(isThere(pid));
  await reader.close();
  await launcher.close();
  t.notOk(isThere(pid));
  t.same(losses, []);
  t.throws(() => startPackageProcess(launcher), { message: 'the launcher was closed' });
});

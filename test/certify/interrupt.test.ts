import { existsSync, readdirSync } from 'node:fs';
import t from 'tap';
import { adbServersOf } from '../support/android/adb-servers.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInHost } from '../support/android/stand-in-emulator.ts';
import { CertifyRun } from '../support/certify-run.ts';

// A folder of its own for what is temporary: another run beside this one would remove what a killed one has left.
const start = (folder: string) => new CertifyRun(folder, ['virtual-ios'], { TMPDIR: folder });

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  t.test(`after ${signal} everything is put back, and the certificate says that it was interrupted`, async (t) => {
    const folder = t.testdir();
    const run = start(folder);
    await run.hasTried('A tap hits');
    run.signal(signal);
    t.same(await run.ended, { code, signal: null }, run.stderr);
    t.same(run.foldersLeft, []);
    const { interrupted, passed, rows } = run.certificate;
    t.match({ interrupted, passed }, { interrupted: true, passed: false });
    t.ok(
      rows.every(({ outcome }) => outcome === 'passed'),
      'what the interruption broke is not held against the device',
    );
  });
}

t.test('the next run removes the files of a killed one', async (t) => {
  const folder = t.testdir();
  const killed = start(folder);
  await killed.hasTried('A session gets');
  const [left = ''] = killed.foldersLeft;
  killed.signal('SIGKILL');
  t.match(await killed.ended, { signal: 'SIGKILL' });
  t.ok(existsSync(`${folder}/${left}/runcloud.db`));
  const next = start(folder);
  await next.hasTried('A session gets');
  t.notOk(existsSync(`${folder}/${left}`));
  next.signal('SIGTERM');
  await next.ended;
  t.same(next.foldersLeft, []);
});

t.test(
  'the next run undoes what a killed one has left on an emulator, and ends its programs',
  { skip: hasAdb ? false : 'NO ADB: Android devices are NOT tested' },
  async (t) => {
    const host = await standInHost(1);
    t.teardown(() => {
      for (const pid of adbServersOf(host.folder)) process.kill(Number(pid), 'SIGKILL');
      host.stop();
    });
    const [emulator] = host.emulators;
    if (!emulator) throw new Error('no emulator');
    const { system } = emulator;
    const settings = new Map(system.settings);
    const folder = t.testdir();
    const begin = () => new CertifyRun(folder, [], { ...host.environment, TMPDIR: folder });
    const screensOf = ({ pid }: CertifyRun) =>
      readdirSync('/dev/shm').filter((name) => name.startsWith(`runcloud-screen-${pid}-`));

    const killed = begin();
    await killed.hasTried('A tap hits');
    killed.signal('SIGKILL');
    await killed.ended;
    t.not(system.settings.size, settings.size, 'it was not asked');
    t.equal(killed.foldersLeft.length, 1);
    t.equal(screensOf(killed).length, 1);
    const left = adbServersOf(host.folder);
    t.equal(left.length, 1, 'its adb server outlives it');

    system.cleared.length = 0;
    const next = begin();
    await next.hasTried('A session gets');
    t.same(system.cleared, ['com.standin.browser'], 'what the killed one used is empty');
    t.same([killed.foldersLeft, screensOf(killed)], [[], []]);
    next.signal('SIGINT');
    t.match(await next.ended, { code: 130 }, next.stderr);
    t.same([...system.settings].sort(), [...settings].sort());
    t.same(adbServersOf(host.folder), []);
    t.same([next.foldersLeft, screensOf(next)], [[], []]);
  },
);

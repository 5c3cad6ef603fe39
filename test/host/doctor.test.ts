import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findingLines } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { diagnose } from '../../server/host/doctor.ts';
import { StandInMac } from '../support/ios/stand-in-mac.ts';

/** A host with these programs and nothing else. */
function host(t: Test, programs: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-doctor-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { folder, tools: { PATH: folder, HOME: folder, XDG_RUNTIME_DIR: folder, RUNCLOUD_ADB_PORT: '1' } };
}

t.test('on a host with nothing, virtual devices are ready and everything else says how to get it', async (t) => {
  const { tools } = host(t, {});
  const [virtual, ...others] = await diagnose(tools, 'linux');
  t.match(virtual, { what: 'Virtual devices', state: 'ready' });
  t.ok(others.every(({ state }) => state !== 'ready'));
  for (const { what, state, fix } of others) t.equal(state === 'missing', fix !== undefined, what);
  const text = findingLines(await diagnose(tools, 'linux'));
  t.match(text, /adb +missing/);
  t.match(text, /fix: install the Android SDK/);
  t.match(text, /iOS Simulators +unavailable/);
});

t.test('installed programs are named with their versions, in plain characters', async (t) => {
  const { folder, tools } = host(t, {
    adb: "printf 'Android Debug Bridge \\033[31m1.0.41\\nmore\\n'",
    emulator: 'exit 0',
  });
  mkdirSync(join(folder, '.android/avd'), { recursive: true });
  writeFileSync(join(folder, '.android/avd/Pixel_6.ini'), '');
  mkdirSync(join(folder, 'avd/running'), { recursive: true });
  writeFileSync(
    join(folder, `avd/running/pid_${process.pid}.ini`),
    'port.serial=5554\nport.adb=5555\navd.id=Pixel_6\n',
  );
  const findings = await diagnose(tools, 'linux');
  const detail = (name: string) => findings.find(({ what }) => what === name)?.detail ?? '';
  t.equal(detail('adb'), `${folder}/adb (Android Debug Bridge [31m1.0.41)`);
  t.match(detail('Android Virtual Devices'), /^Pixel_6/);
  t.match(detail('Running emulators'), /Pixel_6 \(adb alone/);
  t.match(findings.find(({ what }) => what === 'Running emulators')?.fix, /emu grpc/);
});

t.test('a folder that others can write to is named, and nothing in it', async (t) => {
  const { folder, tools } = host(t, { adb: 'exit 0' });
  const running = join(folder, 'avd/running');
  mkdirSync(running, { recursive: true });
  writeFileSync(join(running, `pid_${process.pid}.ini`), 'port.serial=5554\nport.adb=5555\navd.id=Stranger\n');
  chmodSync(running, 0o777);
  const finding = (await diagnose(tools, 'linux')).find(({ what }) => what === 'Running emulators');
  t.match(finding, { state: 'unavailable', fix: new RegExp(`let only yourself write to ${running};`) });
  t.notMatch(JSON.stringify(finding), /Stranger/);
});

t.test("scrcpy's server is named with its version, or with what is wrong with it and what to do", async (t) => {
  const { folder, tools } = host(t, {});
  const told = async (name: string) => {
    const found = await diagnose({ ...tools, RUNCLOUD_SCRCPY_SERVER: join(folder, name) }, 'linux');
    return found.find(({ what }) => what === "scrcpy's server");
  };
  writeFileSync(join(folder, 'scrcpy-server-v4.1'), 'PK\x03\x04');
  t.match(await told('scrcpy-server-v4.1'), { state: 'ready', detail: /version 4\.1/ });
  t.match(await told('scrcpy-server-v4.0'), { state: 'missing', detail: /cannot be read/, fix: /releases/ });
  t.match(await told('server.jar'), { state: 'missing', detail: /RUNCLOUD_SCRCPY_VERSION/, fix: /releases/ });
});

t.test('on a Mac Xcode, its runtimes and a helper are looked for', async (t) => {
  const mac = await StandInMac.start({ devicectl: true });
  t.teardown(() => mac.close());
  const told = async () => (await diagnose(mac.tools, 'darwin')).slice(7);
  t.match(await told(), [
    { what: 'simctl', state: 'ready', detail: /simctl$/ },
    { what: 'iOS runtimes', state: 'ready', detail: '26.1' },
    {
      what: 'Device types',
      state: 'ready',
      detail: '2, such as iPhone Stand-In, iPhone Stand-In Max: ios-simulator:<name>',
    },
    { what: 'devicectl', state: 'ready' },
    { what: 'Helper for simulators', state: 'ready', detail: /\/serve-sim$/ },
  ]);
  mac.override = (args) => (args[0] === 'devicectl' ? { exitCode: 64 } : undefined);
  t.match((await told())[3], { what: 'devicectl', state: 'unavailable' });
  mac.override = (args) => (args[1] === 'list' ? { stdout: '{"runtimes":[],"devices":{}}' } : undefined);
  t.match((await told())[1], { state: 'missing', detail: 'there is none', fix: 'xcodebuild -downloadPlatform iOS' });
  mac.override = (args) => (args[1] === 'list' ? { stdout: '\u001b[31mgarbage' } : undefined);
  t.match((await told())[1], {
    state: 'missing',
    detail: 'The list of simulators cannot be read.',
    fix: /xcode-select/,
  });
  t.same(
    mac.calls.filter(([, , command]) => ['create', 'boot', 'delete', 'shutdown'].includes(command ?? '')),
    [],
    'nothing is started or changed',
  );
});

t.test('on a Mac without Xcode and helpers both are said to be missing, with what gets them', async (t) => {
  const findings = await diagnose(host(t, { xcrun: 'exit 1' }).tools, 'darwin');
  t.match(findings.slice(7), [
    { what: 'simctl', state: 'missing', fix: /xcode-select/ },
    { what: 'Helper for simulators', state: 'missing', fix: /serve-sim.*idb-companion/ },
  ]);
  t.equal(findings.length, 9);
});

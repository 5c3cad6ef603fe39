import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { describeAvd, listAvds } from '../../server/drivers/android/emulator/avd.ts';
import { readSettings } from '../../server/settings.ts';
import { ScriptStage } from '../support/script-stage.ts';

const PROGRAMS = 'test/support/android/sdk';
const IMAGE = 'system-images;android-34;google_apis;x86_64';

/** A machine with an SDK that has only its command line tools, as runners have it. */
function stageWithSdk(t: Test, fault = '') {
  const stage = new ScriptStage({ FAULT: fault, BOOT_SECONDS: '240', SETTLE_SECONDS: '0', END_SECONDS: '240' });
  t.teardown(() => stage.remove());
  const at = (...path: string[]) => join(stage.folder, ...path);
  const place = (name: string, ...path: string[]) => {
    mkdirSync(at(...path), { recursive: true });
    cpSync(join(PROGRAMS, name), at(...path, name));
    chmodSync(at(...path, name), 0o755);
  };
  for (const name of ['sdkmanager', 'avdmanager']) place(name, 'sdk', 'cmdline-tools', 'latest', 'bin');
  place('emulator', 'packages', 'emulator');
  place('adb', 'packages', 'platform-tools');
  mkdirSync(at('state'));
  const environment = {
    ANDROID_HOME: at('sdk'),
    PACKAGES: at('packages'),
    STATE: at('state'),
    // Set on GitHub's runners.
    XDG_CONFIG_HOME: at('config'),
  };
  return {
    stage,
    run: (more: Record<string, string> = {}) => stage.run('create-emulator.sh', ['34'], { ...environment, ...more }),
    has: (name: string) => existsSync(at('state', name)),
    /** Waits for as long as it takes: an emulator that stays is one that nobody has ended. */
    async emulatorEnds() {
      while (isRunning(at('state', 'pid'))) await setTimeout(20);
    },
  };
}

function isRunning(pidFile: string): boolean {
  try {
    return process.kill(Number(readFileSync(pidFile, 'utf8')), 0);
  } catch {
    return false;
  }
}

t.test('an emulator is installed, created, booted once and ended, and the service finds it', async (t) => {
  const { stage, run, has, emulatorEnds } = stageWithSdk(t);
  t.match(await run(), { code: 0, stderr: /^$/ });
  const calls = stage.calls.filter((call) => !call.includes('getprop'));
  t.same(calls, [
    `sdkmanager --install emulator platform-tools ${IMAGE}`,
    'emulator -accel-check',
    `avdmanager create avd --force --name runcloud-api-34 --package ${IMAGE} --device pixel_6`,
    'emulator -avd runcloud-api-34 -port 5584 -no-window -no-audio -no-boot-anim -no-snapshot-load',
    'adb -s emulator-5584 emu kill',
    'adb kill-server',
  ]);
  t.ok(has('snapshot'), 'it has saved its snapshot');
  await emulatorEnds();

  const { entry = '', ...tools } = stage.handedOn;
  t.match(readSettings({ RUNCLOUD_DEVICES: entry }).devices, [
    { driver: 'android-emulator', which: 'runcloud-api-34' },
  ]);
  t.same(listAvds(tools), ['runcloud-api-34'], 'with what the script has handed on');
  t.match(describeAvd('runcloud-api-34', tools), { osVersion: 'API 34' });
});

const FAULTS: readonly (readonly [fault: string, message: string, more?: Record<string, string>])[] = [
  ['install', `sdkmanager could not install ${IMAGE}`],
  ['kvm', 'The emulator cannot use KVM on this machine'],
  ['panic', 'The emulator of runcloud-api-34 ended before it had booted'],
  ['boot', 'runcloud-api-34 did not boot within 1 seconds', { BOOT_SECONDS: '1' }],
  ['end', 'The emulator of runcloud-api-34 did not end within 1 seconds', { END_SECONDS: '1' }],
];

for (const [fault, message, more] of FAULTS) {
  t.test(`a fault says what is wrong, ends the script, and leaves no emulator: ${fault}`, async (t) => {
    const { stage, run, emulatorEnds } = stageWithSdk(t, fault);
    const { code, stderr } = await run(more);
    t.equal(code, 1);
    t.match(stderr, `::error::${message}\n`);
    t.same(stage.handedOn, {}, 'nothing is handed on');
    await emulatorEnds();
  });
}

t.test('an emulator that ends shows its last words', async (t) => {
  t.match((await stageWithSdk(t, 'panic').run()).stderr, 'PANIC: Missing emulator engine program');
});

t.test('a machine without the SDK is refused', async (t) => {
  const { run, stage } = stageWithSdk(t);
  t.match(await run({ ANDROID_HOME: '' }), { code: 1, stderr: /ANDROID_HOME does not say where/ });
  t.match(await run({ ANDROID_HOME: '/nowhere' }), { code: 1, stderr: /in \/nowhere has no command line tools/ });
  t.same(stage.calls, []);
});

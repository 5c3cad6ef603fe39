import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { InstallableApp } from '../../../../server/device/app-package.ts';
import { DeviceFault } from '../../../../server/device/fault.ts';
import type { GuestShell } from '../../../../server/drivers/android/adb/guest-shell.ts';
import { Guest } from '../../../../server/drivers/android/guest/guest.ts';

const { signal } = new AbortController();
const STARTING = 'Starting: Intent { act=android.intent.action.VIEW dat=demo:x }\n';
const FOUND = '1 activities found:\n  Activity #0:\n    com.demo/.Main\n';
const FOCUS = '  mCurrentFocus=Window{1a u0 com.demo/com.demo.Main}\n';

interface Said {
  readonly output?: string;
  readonly exitCode?: number;
  readonly fault?: DeviceFault;
}

/** A guest whose commands say what stands here, by their beginnings; the rest says nothing. */
function guestThat(says: Readonly<Record<string, Said>>) {
  const commands: string[] = [];
  const run = async (words: readonly string[]) => {
    const command = words.join(' ');
    commands.push(command);
    const {
      output = '',
      exitCode = 0,
      fault,
    } = Object.entries(says).find(([beginning]) => command.startsWith(beginning))?.[1] ?? {};
    if (fault) throw fault;
    return { output, exitCode };
  };
  const must = async (words: readonly string[]) => {
    const { output, exitCode } = await run(words);
    if (exitCode !== 0) throw new DeviceFault('failed', output);
    return output;
  };
  return { guest: new Guest({ run, must } as unknown as GuestShell), commands };
}

t.test('an install that fails tells the reason of the device, whatever words it has for it', async (t) => {
  const file = join(t.testdir(), 'app.apk');
  writeFileSync(file, 'apk');
  const app = { app: { identifier: 'com.demo' }, file } as unknown as InstallableApp;
  const texts: readonly (readonly [output: string, reason: RegExp])[] = [
    ['Failure [INSTALL_FAILED_INVALID_APK]\n', /INSTALL_FAILED_INVALID_APK/],
    ['Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Package com.demo signatures do not match]\n', /signatures do not/],
    ['Failure [INSTALL_FAILED_VERSION_DOWNGRADE]\n', /VERSION_DOWNGRADE/],
    ['Failure [INSTALL_FAILED_NO_MATCHING_ABIS: Failed to extract native libraries, res=-113]\n', /res=-113/],
    ['Failure [INSTALL_FAILED_OLDER_SDK]\n', /OLDER_SDK/],
    ['Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n', /INSUFFICIENT_STORAGE/],
    ['Failure [INSTALL_PARSE_FAILED_NO_CERTIFICATES: Failed collecting certificates]\n', /NO_CERTIFICATES/],
    ["Exception occurred while executing 'install':\njava.lang.SecurityException: x\n", /SecurityException/],
    ['', /nothing/],
  ];
  for (const [output, message] of texts) {
    for (const exitCode of [0, 1]) {
      const { guest } = guestThat({ 'cmd package install': { output, exitCode } });
      await t.rejects(guest.install(app), { name: 'DeviceFault', kind: 'failed', message });
    }
  }
  const { guest, commands } = guestThat({ 'cmd package install': { output: 'Success\n' } });
  await guest.install(app);
  t.same(commands, ['cmd package install -r -t -g -S 3']);
});

t.test(
  'a URL that is not opened ends as what the device said, in the words and exit codes of old and new releases',
  async (t) => {
    const unresolved = `${STARTING}Error: Activity not started, unable to resolve Intent { act=x }\n`;
    const cases: readonly (readonly [says: Readonly<Record<string, Said>>, kind: string])[] = [
      [{ 'cmd package query': { output: 'No activities found\n' } }, 'unhandled'],
      [{ 'am start': { output: unresolved, exitCode: 0 } }, 'unhandled'],
      [{ 'am start': { output: unresolved, exitCode: 1 } }, 'unhandled'],
      [{ 'am start': { output: `${STARTING}Error type 3\nError: Activity class {a/b} does not exist.\n` } }, 'failed'],
      [{ 'am start': { output: 'Security exception: Permission Denial\n', exitCode: 255 } }, 'failed'],
      [{ 'am start': { output: `${STARTING}Status: timeout\nComplete\n` } }, 'failed'],
      [{ 'am start': { output: '/system/bin/sh: am: inaccessible or not found\n', exitCode: 127 } }, 'failed'],
      [
        { 'am start': { output: 'cmd: Failure calling service activity: Broken pipe (32)\n', exitCode: 224 } },
        'failed',
      ],
      [{ 'am start': { fault: new DeviceFault('unavailable', 'late') } }, 'unavailable'],
      [{ 'cmd package query': { fault: new DeviceFault('nonsense', 'endless') } }, 'nonsense'],
      [
        {
          'cmd package query': { output: 'what?\n' },
          'am start': { output: `${STARTING}Warning: Activity not started, intent has been delivered\n` },
        },
        'nonsense',
      ],
    ];
    for (const [says, kind] of cases) {
      const { guest } = guestThat({ ...says, 'cmd package query': says['cmd package query'] ?? { output: FOUND } });
      await t.rejects(guest.openUrl('demo:x', signal), { name: 'DeviceFault', kind }, JSON.stringify(says));
    }
    for (const output of [
      `${STARTING}Status: ok\nActivity: com.demo/.Main\nThisTime: 5\nTotalTime: 5\nWaitTime: 6\nComplete\n`,
      `${STARTING}Status: ok\nLaunchState: HOT\nActivity: com.demo/.Main\nTotalTime: 5\nWaitTime: 6\nComplete\n`,
      `${STARTING}Warning: Activity not started, its current task has been brought to the front\n`,
    ]) {
      const { guest } = guestThat({ 'cmd package query': { output: FOUND }, 'am start': { output } });
      t.equal(await guest.openUrl('demo:x', signal), 'com.demo');
    }
  },
);

t.test('without an app in front nothing is reloaded and nobody is warned', async (t) => {
  for (const output of ['', 'mCurrentFocus=null\n', 'Permission Denial: cannot dump\n']) {
    const { guest, commands } = guestThat({ dumpsys: { output } });
    await t.rejects(guest.reload(signal), { name: 'DeviceFault', kind: 'failed', message: /No app is in front/ });
    await t.rejects(guest.warnOfMemory(signal), { kind: 'failed', name: 'DeviceFault' });
    t.ok(commands.every((command) => command.startsWith('dumpsys')));
  }
});

t.test('a memory warning that did not reach the app is told so, and one that it had before is no fault', async (t) => {
  for (const said of [
    { output: 'Unknown error: failed to set trim level\n', exitCode: 255 },
    { output: 'Error: No process\n', exitCode: 0 },
    { output: 'java.lang.IllegalArgumentException: Unable to set a background trim level\n', exitCode: 0 },
  ]) {
    const { guest } = guestThat({ dumpsys: { output: FOCUS }, 'am send-trim-memory': said });
    await t.rejects(guest.warnOfMemory(signal), { name: 'DeviceFault', kind: 'failed' });
  }
  const known = { output: 'Unable to set a higher trim level than current level\n', exitCode: 255 };
  const { guest } = guestThat({ dumpsys: { output: FOCUS }, 'am send-trim-memory': known });
  await guest.warnOfMemory(signal);
});

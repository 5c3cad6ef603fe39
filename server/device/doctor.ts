import { ADB_REMEDY, findAdb } from './android/adb/adb-server.ts';
import { listAvds } from './android/emulator/avd.ts';
import { EMULATOR_REMEDY, findEmulator } from './android/emulator/emulator-process.ts';
import { runningEmulators } from './android/emulator/running-emulators.ts';
import { HELPER_REMEDY } from './ios/find-helper.ts';
import { findProgram } from './process/find-program.ts';
import { plainLine } from './process/plain-line.ts';
import { runTool } from './process/run-tool.ts';
import type { ToolEnvironment } from './target.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly state: 'ready' | 'missing' | 'not here';
  /** What was found, in one line. */
  readonly detail: string;
  /** The command that puts it right, where something is missing. */
  readonly fix?: string;
}

const ASK_MS_MAX = 10_000;
/** Where Homebrew puts programs, on both kinds of Mac. */
const BREW_FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin'];

/** What this host offers to the service, what is missing, and what to do about it. Starts nothing that stays. */
export async function diagnose(tools: ToolEnvironment, os: NodeJS.Platform = process.platform): Promise<Finding[]> {
  const virtual: Finding = {
    what: 'Virtual devices',
    state: 'ready',
    detail: 'always there: RUNCLOUD_DEVICES=virtual-ios:4,virtual-android:4',
  };
  return [virtual, ...(await diagnoseAndroid(tools)), ...(await diagnoseIos(tools, os))];
}

async function diagnoseAndroid(tools: ToolEnvironment): Promise<Finding[]> {
  const adb = findAdb(tools);
  const emulator = findEmulator(tools);
  const avds = listAvds(tools);
  const running = runningEmulators(tools);
  const names = (list: readonly string[]) => list.map(plainLine).join(', ');
  return [
    adb === undefined
      ? { what: 'adb', state: 'missing', detail: 'no such program', fix: ADB_REMEDY }
      : { what: 'adb', state: 'ready', detail: `${adb} (${await versionOf(adb, ['version'], tools)})` },
    emulator === undefined
      ? { what: 'Android Emulator', state: 'missing', detail: 'no such program', fix: EMULATOR_REMEDY }
      : { what: 'Android Emulator', state: 'ready', detail: emulator },
    avds.length === 0
      ? {
          what: 'Android Virtual Devices',
          state: 'missing',
          detail: 'there is none',
          fix: "sdkmanager 'system-images;android-34;google_apis;x86_64' && avdmanager create avd -n Pixel_6 -k 'system-images;android-34;google_apis;x86_64' -d pixel_6",
        }
      : { what: 'Android Virtual Devices', state: 'ready', detail: `${names(avds)}: android-emulator:<name>` },
    running.length === 0
      ? { what: 'Running emulators', state: 'not here', detail: 'none; those that are started later are found too' }
      : {
          what: 'Running emulators',
          state: 'ready',
          detail: `${names(running.map(({ avd, grpcPort }) => (grpcPort === undefined ? `${avd} (adb alone: taps, swipes and keys)` : avd)))}: android-emulator:auto`,
        },
  ];
}

async function diagnoseIos(tools: ToolEnvironment, os: NodeJS.Platform): Promise<Finding[]> {
  if (os !== 'darwin') return [{ what: 'iOS Simulators', state: 'not here', detail: 'they run on macOS alone' }];
  const xcrun = findProgram('xcrun', tools);
  const simctl =
    xcrun && (await runTool(xcrun, ['-f', 'simctl'], { tools, timeoutMs: ASK_MS_MAX }).catch(() => undefined));
  const helper = ['serve-sim', 'idb_companion'].map((name) => findProgram(name, tools, BREW_FOLDERS)).find(Boolean);
  return [
    simctl && simctl.exitCode === 0
      ? { what: 'simctl', state: 'ready', detail: plainLine(simctl.stdout.toString()) }
      : {
          what: 'simctl',
          state: 'missing',
          detail: 'Xcode is not there, or not chosen',
          fix: 'install Xcode, then `sudo xcode-select --switch /Applications/Xcode.app`',
        },
    helper === undefined
      ? { what: 'Helper for simulators', state: 'missing', detail: 'no such program', fix: HELPER_REMEDY }
      : { what: 'Helper for simulators', state: 'ready', detail: helper },
  ];
}

async function versionOf(program: string, args: readonly string[], tools: ToolEnvironment): Promise<string> {
  try {
    const { stdout } = await runTool(program, args, { tools, timeoutMs: ASK_MS_MAX });
    return plainLine(stdout.toString().split('\n', 1)[0] ?? '');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The findings for people. */
export function findingLines(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ what }) => what.length));
  const lines = findings.map(({ what, state, detail, fix }) => {
    const line = `${what.padEnd(width)}  ${state.padEnd(8)}  ${detail}\n`;
    return fix === undefined ? line : `${line}${' '.repeat(width + 12)}fix: ${fix}\n`;
  });
  return lines.join('');
}

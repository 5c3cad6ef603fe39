import type { Finding } from '@runcloud/protocol';
import type { ToolEnvironment } from '../device/target.ts';
import { ADB_REMEDY, findAdb } from '../drivers/android/adb/adb-server.ts';
import { knownDevices } from '../drivers/android/adb/host-question.ts';
import { attachedOf, hindrance, sharedPort } from '../drivers/android/attached/attached-devices.ts';
import { listAvds } from '../drivers/android/emulator/avd.ts';
import { EMULATOR_REMEDY, findEmulator } from '../drivers/android/emulator/emulator-process.ts';
import { distrustedFolders, runningEmulators } from '../drivers/android/emulator/running-emulators.ts';
import { findServerFile } from '../drivers/android/scrcpy/server-file.ts';
import { diagnoseIos } from '../drivers/ios/diagnose.ts';
import { plainLine } from '../drivers/process/plain-line.ts';
import { runTool } from '../drivers/process/run-tool.ts';

const ASK_MS_MAX = 10_000;
const ADB_ALONE = '(adb alone: taps, swipes, texts and keys)';
const SCRCPY = "(scrcpy's server)";
const SCRCPY_REMEDY =
  'for two fingers, gestures, holds and fast pictures, download scrcpy-server-v<version> (3.x or 4.x) from https://github.com/Genymobile/scrcpy/releases and set RUNCLOUD_SCRCPY_SERVER to its path';
const CONTROL_REMEDY =
  'switch the control service on, for two fingers, gestures, holds and fast pictures: `adb -s emulator-<console port> emu grpc <free port>`, or start the emulator with `-grpc <free port> -grpc-use-token`';

/**
 * Reports the tools that this host has, those that are missing, and the remedies. Starts no process that keeps running.
 */
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
  const scrcpy = diagnoseScrcpy(tools);
  const backend = scrcpy.state === 'ready' ? SCRCPY : ADB_ALONE;
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
      ? noEmulators(distrustedFolders(tools))
      : {
          what: 'Running emulators',
          state: 'ready',
          detail: `${names(running.map(({ avd, grpcPort }) => (grpcPort === undefined ? `${avd} ${backend}` : `${avd} (control service)`)))}: android-emulator:auto`,
          ...(running.every(({ grpcPort }) => grpcPort !== undefined) ? {} : { fix: CONTROL_REMEDY }),
        },
    scrcpy,
    await diagnoseAttached(tools, backend),
  ];
}

const noEmulators = (distrusted: readonly string[]): Finding => ({
  what: 'Running emulators',
  state: 'unavailable',
  detail: 'none; those that are started later are found too',
  ...(distrusted.length === 0
    ? {}
    : { fix: `let only yourself write to ${distrusted.map(plainLine).join(', ')}; nothing there is believed before` }),
});

/** Finds scrcpy's server, which serves devices without a control service. */
function diagnoseScrcpy(tools: ToolEnvironment): Finding {
  const what = "scrcpy's server";
  try {
    const file = findServerFile(tools);
    if (file) return { what, state: 'ready', detail: `${plainLine(file.path)} (version ${file.version})` };
    return {
      what,
      state: 'unavailable',
      detail: 'not provided; devices without a control service are used by adb alone',
    };
  } catch (error) {
    const detail = plainLine(error instanceof Error ? error.message : String(error));
    return { what, state: 'missing', detail, fix: SCRCPY_REMEDY };
  }
}

/** Devices of the host's shared adb server. It only lists them, and starts no server. */
async function diagnoseAttached(tools: ToolEnvironment, backend: string): Promise<Finding> {
  const what = 'Attached Android devices';
  try {
    const known = attachedOf(await knownDevices(sharedPort(tools)));
    if (known.length === 0) return { what, state: 'unavailable', detail: 'none' };
    const lanes = known.map(({ serial }) => {
      const why = hindrance(serial, known);
      return why === undefined ? `${serial} ${backend}` : `${serial} (${why})`;
    });
    const detail = `${lanes.join(', ')}: android-adb:<serial>, or android-adb:auto for all`;
    const usable = known.some(({ serial }) => hindrance(serial, known) === undefined);
    if (!usable) return { what, state: 'unavailable', detail };
    return { what, state: 'ready', detail, ...(backend === ADB_ALONE ? { fix: SCRCPY_REMEDY } : {}) };
  } catch (error) {
    return { what, state: 'unavailable', detail: plainLine(error instanceof Error ? error.message : String(error)) };
  }
}

async function versionOf(program: string, args: readonly string[], tools: ToolEnvironment): Promise<string> {
  try {
    const { stdout } = await runTool(program, args, { tools, timeoutMs: ASK_MS_MAX });
    return plainLine(stdout.toString().split('\n', 1)[0] ?? '');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

import { join } from 'node:path';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { findProgram } from '../../process/find-program.ts';
import { type LongTool, startLongTool } from '../../process/long-tool.ts';
import { freePort } from '../adb/adb-server.ts';
import { type RunningEmulator, runningEmulators } from './running-emulators.ts';

/** Until an emulator has made itself known; its guest takes longer. */
const APPEARS = { everyMs: 250, forMs: 60_000 } as const;

export const EMULATOR_REMEDY =
  'install the Android Emulator (`sdkmanager emulator`, or Android Studio), and set ANDROID_HOME to the folder of the SDK';

export const findEmulator = (tools: ToolEnvironment): string | undefined =>
  findProgram(
    'emulator',
    tools,
    [tools.ANDROID_HOME, tools.ANDROID_SDK_ROOT].flatMap((sdk) => (sdk ? [join(sdk, 'emulator')] : [])),
  );

/** The `emulator` program of this host. Throws an `unavailable` fault that says how to get it. */
export function requireEmulator(tools: ToolEnvironment): string {
  const found = findEmulator(tools);
  if (found === undefined)
    throw new DeviceFault('unavailable', `the program \`emulator\` is missing: ${EMULATOR_REMEDY}`);
  return found;
}

/** An emulator that this service has started. */
export interface StartedEmulator {
  readonly emulator: RunningEmulator;
  readonly tool: LongTool;
}

/**
 * Starts the emulator of an AVD without a window, its control service on the loopback alone and behind a token. Rejects
 * with an `unavailable` fault, and then nothing of it runs.
 */
export async function startEmulator(avd: string, tools: ToolEnvironment): Promise<StartedEmulator> {
  const program = requireEmulator(tools);
  const grpcPort = await freePort();
  const args = ['-avd', avd, '-no-window', '-no-audio', '-no-boot-anim', '-no-snapshot-save'];
  const tool = startLongTool(program, [...args, '-grpc', String(grpcPort), '-grpc-use-token'], { tools });
  let ended: string | undefined;
  void tool.ended.then((reason) => {
    ended = reason;
  });
  const appeared = () => runningEmulators(tools).find((other) => other.avd === avd && other.grpcPort === grpcPort);
  const emulator = await poll(systemClock, APPEARS, () => ended ?? appeared());
  if (typeof emulator === 'object') return { emulator, tool };
  await tool.end();
  throw new DeviceFault(
    'unavailable',
    `The emulator of "${avd}" did not start: ${ended ?? 'it did not appear in time'}`,
  );
}

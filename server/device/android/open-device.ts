import { existsSync } from 'node:fs';
import { systemClock } from '../../flow/clock.ts';
import type { DeviceDescriptor, DeviceOptions } from '../driver.ts';
import { watchHealth } from '../health.ts';
import type { ToolEnvironment } from '../target.ts';
import { AdbHand } from './adb/adb-hand.ts';
import type { GuestShell } from './adb/guest-shell.ts';
import { AndroidDevice } from './android-device.ts';
import { EmulatorHand } from './control/emulator-hand.ts';
import type { RunningEmulator } from './emulator/running-emulators.ts';
import { Guest } from './guest/guest.ts';
import { turnsOf } from './guest/orientation.ts';
import { type Baseline, restoreBaseline } from './guest/session-state.ts';
import { readTrace, writeTrace } from './guest/session-trace.ts';
import type { Hand, HandListener } from './hand.ts';
import { findServerFile } from './scrcpy/server-file.ts';

/** Shared memory, where the system has it as files. */
const SHARED_MEMORY = '/dev/shm';
/** How often a device that a session has is asked whether it lives, and for how long it may think. */
const HEALTH_MS = 5_000;
const ASK_MS_MAX = 5_000;

export interface DeviceParts {
  /** The emulator whose control service is used. Absent for a device that is served by scrcpy or by adb alone. */
  readonly emulator?: RunningEmulator;
  /** Closed with the device. */
  readonly shell: GuestShell;
  readonly baseline: Baseline;
  readonly descriptor: DeviceDescriptor;
  /** Where scrcpy's server is, among others. */
  readonly tools: ToolEnvironment;
}

/** Opens a device that runs for one session, as `DeviceDriver.open` says. Rejects with a `DeviceFault`. */
export async function openDevice(
  parts: DeviceParts,
  { orientation = 'portrait', apps = [] }: DeviceOptions,
): Promise<AndroidDevice> {
  const { shell, baseline, descriptor } = parts;
  const guest = new Guest(shell);
  // The session before may have ended without a chance to clean up.
  const left = await readTrace(shell);
  await restoreBaseline(shell, guest, baseline, new Set(left?.used));
  const brought = apps.map(({ app }) => app.identifier).filter((name) => !baseline.packages.has(name));
  const trace = { installed: brought, used: [], settings: baseline.settings };
  await writeTrace(shell, trace);
  for (const app of apps) await guest.install(app);

  let device: AndroidDevice | undefined;
  let lostReason: string | undefined;
  let stopWatching = () => {};
  const lose = (reason: string) => {
    stopWatching();
    lostReason ??= reason;
    device?.lost(reason);
    shell.close();
  };
  const hand = await openHand(parts, { changed: () => device?.changed(), lost: lose });
  try {
    await hand.prove();
    const { signal } = new AbortController();
    if (hand.turns !== turnsOf(orientation)) await hand.rotate(turnsOf(orientation), signal);
    await hand.pressButton('home', 50, signal);
  } catch (error) {
    hand.close();
    throw error;
  }
  const isUp = async () => {
    await shell.run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX });
    return undefined;
  };
  stopWatching = watchHealth(isUp, lose, systemClock, HEALTH_MS);
  device = new AndroidDevice({
    descriptor,
    hand,
    guest,
    noteUsed: async (used) => {
      // It was used all the same; the note is for the case that this session does not end properly.
      await writeTrace(shell, { ...trace, used }).catch(() => undefined);
    },
    restore: async (used) => {
      stopWatching();
      await restoreBaseline(shell, guest, baseline, used);
    },
    release: () => {
      stopWatching();
      shell.close();
    },
  });
  if (lostReason !== undefined) device.lost(lostReason);
  return device;
}

/** The best way that there is. A way that is wished for and does not work is a fault, and no reason to take another. */
async function openHand(
  { emulator, shell, descriptor, tools }: Omit<DeviceParts, 'baseline'>,
  listener: HandListener,
): Promise<Hand> {
  const { grpcPort, grpcToken, grpcKeys } = emulator ?? {};
  if (grpcPort === undefined) {
    const file = findServerFile(tools);
    if (!file) return AdbHand.open(shell, listener);
    // With it comes FFmpeg, which the other ways do not need.
    const [{ Mirror }, { ScrcpyHand }] = await Promise.all([
      import('./scrcpy/mirror.ts'),
      import('./scrcpy/scrcpy-hand.ts'),
    ]);
    return new ScrcpyHand(await Mirror.open(file, shell, descriptor, listener), shell);
  }
  const folder = existsSync(SHARED_MEMORY) ? SHARED_MEMORY : undefined;
  return EmulatorHand.open({ port: grpcPort, token: grpcToken, keys: grpcKeys }, shell, descriptor, {
    folder,
    listener,
  });
}

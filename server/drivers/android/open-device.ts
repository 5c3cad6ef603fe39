import { existsSync } from 'node:fs';
import type { Device, DeviceDescriptor, DeviceOptions, SnapshotSource } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { systemClock } from '../../flow/clock.ts';
import { watchHealth } from '../health.ts';
import { AdbBackend } from './adb/adb-backend.ts';
import type { GuestShell } from './adb/guest-shell.ts';
import { AndroidDevice, clearClipboard, keptClipboard } from './android-device.ts';
import { EmulatorBackend } from './control/emulator-backend.ts';
import { consoleOf } from './emulator/emulator-console.ts';
import { EmulatorNetwork } from './emulator/emulator-network.ts';
import type { EmulatorSnapshots } from './emulator/emulator-snapshots.ts';
import type { RunningEmulator } from './emulator/running-emulators.ts';
import { Guest } from './guest/guest.ts';
import { GuestApps } from './guest/guest-apps.ts';
import { guestLogs } from './guest/guest-logs.ts';
import { turnsOf } from './guest/orientation.ts';
import { type Baseline, restoreBaseline } from './guest/session-state.ts';
import { readTrace, type Trace, writeTrace } from './guest/session-trace.ts';
import { readLeftChanges } from './guest/shared-changes.ts';
import type { BackendListener, GuestClipboard, GuestLocation, GuestNetwork, InputBackend } from './input-backend.ts';
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
  /** Absent for a device whose state cannot be kept. */
  readonly states?: DeviceStates | undefined;
  /** As `Device.outlives`. */
  readonly outlives: boolean;
}

/** How the state of a device is kept and brought back. */
export interface DeviceStates {
  readonly snapshots: EmulatorSnapshots;
  /** Resolves when the guest answers, which stands still meanwhile and loses its connections. */
  readonly again: () => Promise<void>;
}

/** Opens a device that runs for one session, as `DeviceDriver.open` says. Rejects with a `DeviceFault`. */
export async function openDevice(
  parts: DeviceParts,
  { orientation = 'portrait', apps = [], snapshot, session = '', goesOn = false }: DeviceOptions,
): Promise<AndroidDevice> {
  const { shell, baseline, descriptor, states, outlives } = parts;
  const guest = new Guest(shell);
  // The session before may have ended without a chance to clean up.
  const left = await readTrace(shell);
  if (goesOn && left?.session !== session) {
    throw new DeviceFault('missing', 'The device is not as the session has left it.');
  }
  if (!goesOn) await restoreBaseline(shell, guest, baseline, new Set(left?.used));
  if (snapshot) await beginWith(snapshot, states);
  const ending = new AbortController();
  const logs = await guestLogs(shell, ending.signal);
  const brought = apps.map(({ app }) => app.identifier).filter((name) => !baseline.packages.has(name));
  const before = { settings: baseline.settings, place: left?.place ?? [], network: left?.network ?? [] };
  let trace: Trace = goesOn && left ? left : { installed: brought, used: [], ...before, session };
  const changes = goesOn ? await readLeftChanges(shell) : undefined;
  if (!goesOn) {
    await writeTrace(shell, trace);
    for (const app of apps) await guest.install(app);
  }

  let device: AndroidDevice | undefined;
  let lostReason: string | undefined;
  let stopWatching = () => {};
  const lose = (reason: string) => {
    stopWatching();
    ending.abort();
    lostReason ??= reason;
    device?.lost(reason);
    shell.close();
  };
  const backend = await openBackend(parts, { changed: () => device?.changed(), lost: lose });
  let clipboard: GuestClipboard | undefined;
  let location: GuestLocation | undefined;
  let network: GuestNetwork | undefined;
  try {
    // It is seen to arrive by what it does to the device.
    if (!goesOn) await backend.selfTest();
    const { signal } = new AbortController();
    if (!snapshot && !goesOn) {
      if (backend.turns !== turnsOf(orientation)) await backend.rotate(turnsOf(orientation), signal);
      await backend.pressButton('home', 50, signal);
    }
    clipboard = await (goesOn ? keptClipboard : clearClipboard)(backend.clipboard);
    const place = await begin(backend.location, trace.place, goesOn);
    if (place) location = backend.location;
    const limits = networkOf(parts);
    const speed = await begin(limits, trace.network, goesOn);
    if (speed) network = limits;
    if (!goesOn && (place || speed)) {
      trace = { ...trace, place: place ?? trace.place, network: speed ?? trace.network };
      await writeTrace(shell, trace);
    }
  } catch (error) {
    backend.close();
    throw error;
  }
  const isUp = async () => {
    await shell.run(['getprop', 'sys.boot_completed'], { timeoutMs: ASK_MS_MAX });
    return undefined;
  };
  const watch = () => {
    if (!ending.signal.aborted) stopWatching = watchHealth(isUp, lose, systemClock, HEALTH_MS);
  };
  watch();
  /** A guest that stands still is not lost. */
  const keepIn =
    ({ snapshots, again }: DeviceStates): Device['keep'] =>
    async (file, signal) => {
      stopWatching();
      try {
        return await snapshots.keep(file, signal);
      } finally {
        await again().catch((error: Error) => lose(error.message));
        watch();
      }
    };
  device = new AndroidDevice({
    descriptor,
    backend,
    guest,
    apps: new GuestApps(
      shell,
      guest,
      baseline.packages,
      apps.map(({ app }) => app),
    ),
    clipboard,
    location,
    network,
    logs,
    // The network is told by the console, too.
    keep: network && states && keepIn(states),
    shell,
    outlives,
    used: trace.used,
    changes,
    noteUsed: async (used) => {
      // It was used all the same; the note is for the case that this session does not end properly.
      trace = { ...trace, used };
      await writeTrace(shell, trace).catch(() => undefined);
    },
    noteInstalled: async (name) => {
      if (trace.installed.includes(name)) return;
      trace = { ...trace, installed: [...trace.installed, name] };
      await writeTrace(shell, trace);
    },
    restore: async (used) => {
      stopWatching();
      ending.abort();
      if (snapshot) await states?.snapshots.end();
      else await restoreBaseline(shell, guest, baseline, used);
    },
    release: () => {
      stopWatching();
      ending.abort();
      shell.close();
    },
  });
  if (lostReason !== undefined) device.lost(lostReason);
  return device;
}

async function beginWith(snapshot: SnapshotSource, states: DeviceStates | undefined): Promise<void> {
  if (!states) {
    const why = 'The emulator was not started by this service, which does not take the state of another away.';
    throw new DeviceFault('unsupported', why);
  }
  await states.snapshots.begin(snapshot);
  await states.again();
}

/** The console of an emulator knows its network, whoever touches and sees it. */
const networkOf = ({ emulator, tools }: DeviceParts): GuestNetwork | undefined =>
  emulator && new EmulatorNetwork(consoleOf(emulator.consolePort, tools));

/** An emulator that does not tell where it is, or does not let this user into its console, has nothing of it that a session could set. */
async function begin(
  what: GuestLocation | GuestNetwork | undefined,
  left: readonly string[],
  goesOn: boolean,
): Promise<readonly string[] | undefined> {
  // It had none that could be set.
  if (goesOn && left.length === 0) return undefined;
  try {
    return await what?.begin(left, goesOn);
  } catch (error) {
    if (error instanceof DeviceFault && error.kind === 'unsupported') return undefined;
    throw error;
  }
}

/** The best way that there is. A way that is wished for and does not work is a fault, and no reason to take another. */
async function openBackend(
  { emulator, shell, descriptor, tools }: Omit<DeviceParts, 'baseline'>,
  listener: BackendListener,
): Promise<InputBackend> {
  const { grpcPort, grpcToken, grpcKeys } = emulator ?? {};
  if (grpcPort === undefined) {
    const file = findServerFile(tools);
    if (!file) return AdbBackend.open(shell, descriptor, listener);
    // With it comes FFmpeg, which the other ways do not need.
    const [{ ScrcpySession }, { ScrcpyBackend }] = await Promise.all([
      import('./scrcpy/scrcpy-session.ts'),
      import('./scrcpy/scrcpy-backend.ts'),
    ]);
    return new ScrcpyBackend(await ScrcpySession.open(file, shell, descriptor, listener), shell);
  }
  const folder = existsSync(SHARED_MEMORY) ? SHARED_MEMORY : undefined;
  return EmulatorBackend.open({ port: grpcPort, token: grpcToken, keys: grpcKeys }, shell, descriptor, {
    folder,
    listener,
  });
}

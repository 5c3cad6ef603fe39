import type { DeviceDescriptor, DeviceOptions, FoundDevice } from '../../device/driver.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { DeviceQuery, DeviceTarget } from '../../device/target.ts';
import type { DeviceDriver } from '../device-driver.ts';
import { plainLine } from '../process/plain-line.ts';
import { AdbServer, freePort, requireAdb } from './adb/adb-server.ts';
import { GuestShell } from './adb/guest-shell.ts';
import type { AndroidDevice } from './android-device.ts';
import { avdContent, DRIVER_NAME, describeAvd, hasAvd } from './emulator/avd.ts';
import { consoleOf } from './emulator/emulator-console.ts';
import { requireEmulator, type StartedEmulator, startEmulator } from './emulator/emulator-process.ts';
import { EmulatorSnapshots } from './emulator/emulator-snapshots.ts';
import { type RunningEmulator, runningEmulators } from './emulator/running-emulators.ts';
import { describeGuest } from './guest/describe-guest.ts';
import { type Baseline, readBaseline } from './guest/session-state.ts';
import { readTrace } from './guest/session-trace.ts';
import { waitForGuest } from './guest/wait-for-guest.ts';
import { openDevice } from './open-device.ts';
import { findServerFile } from './scrcpy/server-file.ts';

/** A cold boot on a slow machine. */
const BOOT_MS_MAX = 180_000;
/** Time limit for a guest that has booted before. */
const ANSWER_MS_MAX = 20_000;

/** The known properties of a device that can be reached. */
interface Reached {
  readonly emulator: RunningEmulator;
  readonly shell: GuestShell;
  readonly reconnect: () => Promise<void>;
  /** Absent for an emulator that belongs to somebody: to begin with a snapshot takes its state away. */
  readonly snapshots: EmulatorSnapshots | undefined;
}

/** Android Emulators of this host. */
export class AndroidDriver implements DeviceDriver {
  readonly #servers = new Map<number, AdbServer>();
  readonly #started = new Map<string, StartedEmulator>();
  readonly #starting = new Map<string, Promise<RunningEmulator>>();
  readonly #baselines = new WeakMap<StartedEmulator, Baseline>();
  #port: Promise<number> | undefined;

  async discover({ which, tools }: DeviceQuery): Promise<readonly FoundDevice[]> {
    requireAdb(tools);
    findServerFile(tools);
    this.#port ??= freePort();
    const adbPort = String(await this.#port);
    const target = (avd: string, facts: Readonly<Record<string, string>>): FoundDevice => ({
      platform: 'android',
      target: { driver: DRIVER_NAME, id: avd, facts: { avd, adbPort, ...facts }, tools },
      descriptor: describeAvd(avd, tools),
    });
    if (which === 'auto') return runningEmulators(tools).map(({ avd }) => target(avd, {}));
    const runs = runningEmulators(tools).some(({ avd }) => avd === which);
    if (!runs) {
      requireEmulator(tools);
      if (!hasAvd(which, tools)) {
        const remedy = `make it with \`avdmanager create avd -n ${which} -k <system image> -d pixel_6\``;
        throw new DeviceFault('unavailable', `there is no Android Virtual Device named "${which}": ${remedy}`);
      }
    }
    return [target(which, { boot: 'yes' })];
  }

  async makeReady(target: DeviceTarget, signal?: AbortSignal): Promise<DeviceDescriptor> {
    const reached = await this.#reach(target, signal);
    const { emulator, shell } = reached;
    try {
      await awaken(reached, BOOT_MS_MAX, signal);
      await goBack(reached, signal);
      await this.#baseline(target, emulator, shell);
      return await describeGuest(shell, describeAvd(emulator.avd, target.tools));
    } finally {
      shell.close();
    }
  }

  async open(target: DeviceTarget, options: DeviceOptions, signal?: AbortSignal): Promise<AndroidDevice> {
    const reached = await this.#reach(target, signal, options.goesOn);
    const { emulator, shell, snapshots } = reached;
    const { tools } = target;
    const again = () => awaken(reached, ANSWER_MS_MAX);
    try {
      await awaken(reached, ANSWER_MS_MAX, signal);
      await goBack(reached, signal);
      const baseline = await this.#baseline(target, emulator, shell);
      const descriptor = await describeGuest(shell, describeAvd(emulator.avd, tools));
      const states = snapshots && { snapshots, again };
      // One that a service has started is ended by the next one.
      const outlives = !snapshots;
      return await openDevice({ emulator, shell, baseline, descriptor, tools, states, outlives }, options);
    } catch (error) {
      shell.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    const started = [...this.#started.values()];
    this.#started.clear();
    await Promise.allSettled([
      ...started.map(({ tool }) => tool.end()),
      ...[...this.#servers.values()].map((server) => server.close()),
    ]);
  }

  /**
   * The state that a session starts from and restores at its end. An emulator that this service has started has no other
   * user, so it returns to its state before the first session. Any other emulator belongs to somebody, who may change it
   * between two sessions: its state is read anew.
   */
  async #baseline({ id }: DeviceTarget, { pid }: RunningEmulator, shell: GuestShell): Promise<Baseline> {
    const started = this.#started.get(id);
    if (started?.emulator.pid !== pid) return readBaseline(shell);
    const baseline = this.#baselines.get(started) ?? (await readBaseline(shell));
    this.#baselines.set(started, baseline);
    return baseline;
  }

  /**
   * The emulator of a target, which is started where that is wished, and the shell of its guest.
   * @param signal closes the shell, which ends everything that is done by it
   * @param isOnlyRunning it is not started
   */
  async #reach(target: DeviceTarget, signal: AbortSignal | undefined, isOnlyRunning = false): Promise<Reached> {
    const { tools, facts } = target;
    const running = runningEmulators(tools).find(({ avd }) => avd === facts.avd);
    if (!running && (facts.boot !== 'yes' || isOnlyRunning)) {
      throw new DeviceFault('unavailable', `The emulator of "${plainLine(facts.avd ?? '')}" does not run.`);
    }
    const emulator = running ?? (await this.#boot(target));
    const port = Number(facts.adbPort);
    const server = this.#servers.get(port) ?? new AdbServer(port, tools);
    this.#servers.set(port, server);
    const reconnect = async () => {
      await server.ensure();
      await server.connectEmulator(emulator);
    };
    await reconnect();
    signal?.throwIfAborted();
    const shell = new GuestShell(server.client, `emulator-${emulator.consolePort}`);
    signal?.addEventListener('abort', () => shell.close(), { once: true });
    const content = avdContent(emulator.avd, tools);
    const snapshots =
      this.#started.get(target.id)?.emulator.pid === emulator.pid
        ? new EmulatorSnapshots(consoleOf(emulator.consolePort, tools), emulator.avd, content)
        : undefined;
    return { emulator, shell, reconnect, snapshots };
  }

  #boot({ id, tools, facts }: DeviceTarget): Promise<RunningEmulator> {
    const starting =
      this.#starting.get(id) ??
      startEmulator(facts.avd ?? '', tools)
        .then((started) => {
          this.#started.set(id, started);
          return started.emulator;
        })
        .finally(() => this.#starting.delete(id));
    this.#starting.set(id, starting);
    return starting;
  }
}

/** Resolves when the guest answers. */
const awaken = ({ shell, reconnect }: Reached, limitMs: number, signal?: AbortSignal): Promise<void> =>
  waitForGuest(shell, { limitMs, reconnect, signal });

/**
 * Undoes what a session from a snapshot has left that did not end properly. Such a session is noted on the guest as every other; where
 * no note is found, the emulator has been brought to another state since.
 */
async function goBack(reached: Reached, signal: AbortSignal | undefined): Promise<void> {
  const { shell, snapshots } = reached;
  if (!snapshots) return;
  if (snapshots.isBegun) {
    if (await readTrace(shell)) {
      await snapshots.end();
      await awaken(reached, ANSWER_MS_MAX, signal);
    } else await snapshots.stay();
  }
  await snapshots.sweep();
}

import type { DeviceDriver } from '../device-driver.ts';
import type { DeviceDescriptor, DeviceOptions, FoundDevice } from '../driver.ts';
import { DeviceFault } from '../fault.ts';
import { plainLine } from '../process/plain-line.ts';
import type { DeviceTarget, DeviceWish } from '../target.ts';
import { AdbServer, freePort, requireAdb } from './adb/adb-server.ts';
import { GuestShell } from './adb/guest-shell.ts';
import type { AndroidDevice } from './android-device.ts';
import { DRIVER_NAME, describeAvd, hasAvd } from './emulator/avd.ts';
import { requireEmulator, type StartedEmulator, startEmulator } from './emulator/emulator-process.ts';
import { type RunningEmulator, runningEmulators } from './emulator/running-emulators.ts';
import { describeGuest } from './guest/describe-guest.ts';
import { type Baseline, readBaseline } from './guest/session-state.ts';
import { waitForGuest } from './guest/wait-for-guest.ts';
import { openDevice } from './open-device.ts';

/** Android Emulators of this host. */
export class AndroidDriver implements DeviceDriver {
  readonly #servers = new Map<number, AdbServer>();
  readonly #started = new Map<string, StartedEmulator>();
  readonly #starting = new Map<string, Promise<RunningEmulator>>();
  readonly #baselines = new Map<string, Baseline>();
  #port: Promise<number> | undefined;

  async discover({ which, tools }: DeviceWish): Promise<readonly FoundDevice[]> {
    requireAdb(tools);
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

  async makeReady(target: DeviceTarget): Promise<DeviceDescriptor> {
    const { emulator, shell } = await this.#reach(target);
    try {
      await waitForGuest(shell);
      await this.#baseline(target, shell);
      return await describeGuest(shell, describeAvd(emulator.avd, target.tools));
    } finally {
      shell.close();
    }
  }

  async open(target: DeviceTarget, options: DeviceOptions): Promise<AndroidDevice> {
    const { emulator, shell } = await this.#reach(target);
    try {
      await waitForGuest(shell);
      const baseline = await this.#baseline(target, shell);
      const descriptor = await describeGuest(shell, describeAvd(emulator.avd, target.tools));
      return await openDevice({ emulator, shell, baseline, descriptor }, options);
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

  /** What the device was like before the first session that this service has given it to. */
  async #baseline({ id }: DeviceTarget, shell: GuestShell): Promise<Baseline> {
    const baseline = this.#baselines.get(id) ?? (await readBaseline(shell));
    this.#baselines.set(id, baseline);
    return baseline;
  }

  /** The emulator of a target, which is started where that is wished, and the shell of its guest. */
  async #reach(target: DeviceTarget): Promise<{ emulator: RunningEmulator; shell: GuestShell }> {
    const { tools, facts } = target;
    const running = runningEmulators(tools).find(({ avd }) => avd === facts.avd);
    if (!running && facts.boot !== 'yes') {
      throw new DeviceFault('unavailable', `The emulator of "${plainLine(facts.avd ?? '')}" does not run.`);
    }
    const emulator = running ?? (await this.#boot(target));
    const port = Number(facts.adbPort);
    const server = this.#servers.get(port) ?? new AdbServer(port, tools);
    this.#servers.set(port, server);
    await server.ensure();
    await server.connectEmulator(emulator);
    return { emulator, shell: new GuestShell(server.client, `emulator-${emulator.consolePort}`) };
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

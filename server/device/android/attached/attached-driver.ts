import type { DeviceDriver } from '../../device-driver.ts';
import type { DeviceDescriptor, DeviceOptions, FoundDevice } from '../../driver.ts';
import { DeviceFault } from '../../fault.ts';
import type { DeviceTarget, DeviceWish } from '../../target.ts';
import { AdbServer, requireAdb } from '../adb/adb-server.ts';
import { GuestShell } from '../adb/guest-shell.ts';
import type { AndroidDevice } from '../android-device.ts';
import { describeGuest } from '../guest/describe-guest.ts';
import { type Baseline, readBaseline } from '../guest/session-state.ts';
import { waitForGuest } from '../guest/wait-for-guest.ts';
import { openDevice } from '../open-device.ts';
import { ATTACHED_DRIVER, attachedOf, describeAttached, hindrance, sharedPort } from './attached-devices.ts';

/** A device that is still booting is not waited for any longer: its slot heals, and asks again. */
const ANSWER_MS_MAX = 20_000;

/** Android devices that the host's adb server has: on USB, over the network, or emulators of other makers. */
export class AttachedDriver implements DeviceDriver {
  readonly #baselines = new Map<string, Baseline>();
  #server: AdbServer | undefined;

  async discover({ which, tools }: DeviceWish): Promise<readonly FoundDevice[]> {
    requireAdb(tools);
    const port = sharedPort(tools);
    const serials =
      which === 'auto'
        ? attachedOf(await (await this.#reachServer(port, { tools })).devices()).map(({ serial }) => serial)
        : [which];
    return serials.map((serial) => ({
      platform: 'android',
      target: { driver: ATTACHED_DRIVER, id: serial, facts: { serial, adbPort: String(port) }, tools },
      descriptor: describeAttached(serial),
    }));
  }

  async makeReady(target: DeviceTarget, signal?: AbortSignal): Promise<DeviceDescriptor> {
    const shell = await this.#reach(target, signal);
    try {
      await this.#baseline(target, shell);
      return await describeGuest(shell, describeAttached(shell.serial));
    } finally {
      shell.close();
    }
  }

  async open(target: DeviceTarget, options: DeviceOptions, signal?: AbortSignal): Promise<AndroidDevice> {
    const shell = await this.#reach(target, signal);
    try {
      const baseline = await this.#baseline(target, shell);
      const descriptor = await describeGuest(shell, describeAttached(shell.serial));
      return await openDevice({ shell, baseline, descriptor }, options);
    } catch (error) {
      shell.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #reachServer(port: number, { tools }: Pick<DeviceWish, 'tools'>): Promise<AdbServer> {
    this.#server ??= new AdbServer(port, tools, { shared: true });
    await this.#server.ensure();
    return this.#server;
  }

  /**
   * The shell of a device that is attached and has booted.
   * @param signal closes the shell, which ends everything that is done by it
   */
  async #reach(target: DeviceTarget, signal: AbortSignal | undefined): Promise<GuestShell> {
    const { serial = '', adbPort } = target.facts;
    const server = await this.#reachServer(Number(adbPort), target);
    // adb connects what is attached by itself; what it does not have any more is not waited for.
    const requireAttached = async () => {
      const why = hindrance(serial, await server.devices());
      if (why !== undefined) throw new DeviceFault('unavailable', `The device ${serial} ${why}.`);
    };
    await requireAttached();
    signal?.throwIfAborted();
    const shell = new GuestShell(server.client, serial);
    signal?.addEventListener('abort', () => shell.close(), { once: true });
    try {
      await waitForGuest(shell, { limitMs: ANSWER_MS_MAX, reconnect: requireAttached, signal });
      return shell;
    } catch (error) {
      shell.close();
      throw error;
    }
  }

  /** What the device was like before the first session that this service has given it to. */
  async #baseline({ id }: DeviceTarget, shell: GuestShell): Promise<Baseline> {
    const baseline = this.#baselines.get(id) ?? (await readBaseline(shell));
    this.#baselines.set(id, baseline);
    return baseline;
  }
}

import type { DeviceDescriptor, DeviceOptions, FoundDevice } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import type { DeviceQuery, DeviceTarget } from '../../../device/target.ts';
import type { DeviceDriver } from '../../device-driver.ts';
import { plainLine } from '../../process/plain-line.ts';
import { AdbServer, requireAdb } from '../adb/adb-server.ts';
import { GuestShell } from '../adb/guest-shell.ts';
import type { AndroidDevice } from '../android-device.ts';
import { describeGuest } from '../guest/describe-guest.ts';
import { readBaseline } from '../guest/session-state.ts';
import { waitForGuest } from '../guest/wait-for-guest.ts';
import { openDevice } from '../open-device.ts';
import { findServerFile } from '../scrcpy/server-file.ts';
import { ATTACHED_DRIVER, attachedOf, describeAttached, hindrance, isAddress, sharedPort } from './attached-devices.ts';

/** A device that is still booting is not waited for any longer: its slot heals, and asks again. */
const ANSWER_MS_MAX = 20_000;

/** Android devices that the host's adb server has: on USB, over the network, or emulators of other makers. */
export class AttachedDriver implements DeviceDriver {
  /** The name in use of each device that was seen, by the number that its maker gave it. */
  readonly #serials = new Map<string, string>();
  #server: AdbServer | undefined;

  async discover({ which, tools }: DeviceQuery): Promise<readonly FoundDevice[]> {
    requireAdb(tools);
    findServerFile(tools);
    const port = sharedPort(tools);
    const auto = which === 'auto';
    const how: Readonly<Record<string, string>> = auto ? { auto: 'yes' } : {};
    const serials = auto
      ? attachedOf(await (await this.#reachServer(port, { tools })).devices()).map(({ serial }) => serial)
      : [which];
    return serials.map((serial) => ({
      platform: 'android',
      target: { driver: ATTACHED_DRIVER, id: serial, facts: { serial, adbPort: String(port), ...how }, tools },
      descriptor: describeAttached(serial),
    }));
  }

  async makeReady(target: DeviceTarget, signal?: AbortSignal): Promise<DeviceDescriptor> {
    const shell = await this.#reach(target, signal);
    try {
      await this.#requireOneName(target, shell);
      return await describeGuest(shell, describeAttached(shell.serial));
    } finally {
      shell.close();
    }
  }

  async open(target: DeviceTarget, options: DeviceOptions, signal?: AbortSignal): Promise<AndroidDevice> {
    const shell = await this.#reach(target, signal);
    try {
      // Of this very session: what people install in between is theirs.
      const baseline = await readBaseline(shell);
      const descriptor = await describeGuest(shell, describeAttached(shell.serial));
      return await openDevice({ shell, baseline, descriptor, tools: target.tools, outlives: true }, options);
    } catch (error) {
      shell.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #reachServer(port: number, { tools }: Pick<DeviceQuery, 'tools'>): Promise<AdbServer> {
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
    await this.#connect(target, server);
    // adb connects what is plugged in by itself; what it does not have any more is not waited for.
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

  /**
   * adb forgets an address that did not answer for a while. An address in the settings is reconnected; one that was only discovered
   * may have been removed on purpose. Rejects with an `unavailable` fault.
   */
  async #connect({ facts: { serial = '', auto } }: DeviceTarget, server: AdbServer): Promise<void> {
    if (auto === 'yes' || !isAddress(serial)) return;
    if ((await server.devices()).some((device) => device.serial === serial)) return;
    const answer = await server.connectAddress(serial);
    if ((await server.devices()).some((device) => device.serial === serial)) return;
    throw new DeviceFault('unavailable', `The device ${serial} is not attached. adb says: ${answer}`);
  }

  /**
   * A device that is reached in two ways, by cable and by air, is one device: two sessions of it would undo each other's
   * work. Rejects with an `unavailable` fault for the second one.
   */
  async #requireOneName({ facts }: DeviceTarget, shell: GuestShell): Promise<void> {
    const { serial } = shell;
    const [number, emulated] = await Promise.all([
      shell.must(['getprop', 'ro.serialno']),
      shell.must(['getprop', 'ro.boot.qemu']),
    ]);
    if (facts.auto === 'yes' && emulated.trim() === '1') {
      throw new DeviceFault(
        'unavailable',
        `The device ${serial} is an Android Emulator: name it, or use "android-emulator".`,
      );
    }
    const name = number.trim();
    if (name === '') return;
    const other = this.#serials.get(name) ?? serial;
    if (other !== serial && hindrance(other, (await this.#server?.devices()) ?? []) === undefined) {
      throw new DeviceFault('unavailable', `The device ${serial} is attached as ${plainLine(other)} as well.`);
    }
    this.#serials.set(name, serial);
  }
}

import type { Finding } from '@runcloud/protocol';
import type { Device, DeviceDescriptor, DeviceOptions, FoundDevice } from '../device/driver.ts';
import type { DeviceQuery, DeviceTarget, DriverKind, ToolEnvironment } from '../device/target.ts';
import type { DeviceDriver } from '../drivers/device-driver.ts';
import { endLeftBehind } from '../drivers/process/left-behind.ts';
import { removeLeftFolders } from '../drivers/process/own-folder.ts';
import { VirtualDevice } from '../drivers/virtual/virtual-device.ts';
import type { DeviceSource } from './device-pool.ts';

/** The loaders of the real drivers; each is loaded with its first device. */
export type DriverLoaders = Readonly<Partial<Record<DriverKind, () => Promise<DeviceDriver>>>>;

/** The drivers of one host thread. */
export class Drivers implements DeviceSource {
  readonly #loaders: DriverLoaders;
  readonly #loaded = new Map<DriverKind, Promise<DeviceDriver>>();
  #swept: Promise<unknown> | undefined;

  constructor(loaders: DriverLoaders) {
    this.#loaders = loaders;
  }

  async diagnose(tools: ToolEnvironment): Promise<readonly Finding[]> {
    return (await import('./doctor.ts')).diagnose(tools);
  }

  async discover(query: DeviceQuery): Promise<readonly FoundDevice[]> {
    // Remaining programs of a killed service would block the devices.
    this.#swept ??= endLeftBehind(query.tools).then(removeLeftFolders);
    await this.#swept;
    return (await this.#driver(query.driver)).discover(query);
  }

  async makeReady(target: DeviceTarget, signal: AbortSignal): Promise<DeviceDescriptor> {
    return (await this.#driver(target.driver)).makeReady(target, signal);
  }

  async open(options: DeviceOptions, signal: AbortSignal): Promise<Device> {
    const { target } = options;
    // Created for each session: nothing to find, start or reset.
    if (!target) return VirtualDevice.open(options);
    return (await this.#driver(target.driver)).open(target, options, signal);
  }

  /** Ends the programs that the drivers have started. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#loaded.values()].map(async (driver) => (await driver).close()));
  }

  #driver(kind: DriverKind): Promise<DeviceDriver> {
    const driver = this.#loaded.get(kind) ?? this.#loaders[kind]?.();
    if (!driver) throw new Error(`there is no driver for ${kind}`);
    this.#loaded.set(kind, driver);
    return driver;
  }
}

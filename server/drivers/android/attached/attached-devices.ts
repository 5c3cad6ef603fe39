import type { DeviceDescriptor } from '../../../device/driver.ts';
import { DeviceFault } from '../../../device/fault.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import type { KnownDevice } from '../adb/host-question.ts';

export const ATTACHED_DRIVER = 'android-adb';

/** Where adb's server is unless its users say otherwise. */
const PORT_DEFAULT = 5_037;

/** The port of the adb server that people of this host use, by the settings. Throws an `unavailable` fault. */
export function sharedPort({ RUNCLOUD_ADB_PORT: text = String(PORT_DEFAULT) }: ToolEnvironment): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port > 0 && port <= 65_535) return port;
  throw new DeviceFault('unavailable', 'RUNCLOUD_ADB_PORT is no port: set it to a number from 1 to 65535');
}

/** The devices that `auto` selects: all but emulators, which have a faster driver of their own (`android-emulator`). */
export const attachedOf = (known: readonly KnownDevice[]): readonly KnownDevice[] =>
  known.filter(({ serial }) => !/^emulator-\d+$/.test(serial));

/** Why a device cannot be used and what to do about it, as the end of a sentence; `undefined` when it can. */
export function hindrance(serial: string, known: readonly KnownDevice[]): string | undefined {
  const state = known.find((device) => device.serial === serial)?.state;
  switch (state) {
    case 'device':
      return undefined;
    case undefined:
      return `is not attached: plug it in, or \`adb connect ${serial}\` where that is an address`;
    case 'unauthorized':
      return 'is unauthorized: confirm the question about USB debugging on its screen';
    default:
      return `is ${state} for adb`;
  }
}

/** True when a name for adb is an address, `host:port` (in brackets for IPv6), and not a serial number. */
export const isAddress = (serial: string): boolean => /^(?:[\w.-]+|\[[\da-fA-F:.]+(?:%\w+)?\]):\d{1,5}$/.test(serial);

/** Describes a device that was not asked yet. */
export const describeAttached = (serial: string): DeviceDescriptor => ({
  model: serial,
  osVersion: 'unknown',
  width: 1_080,
  height: 1_920,
  scale: 2,
  driver: ATTACHED_DRIVER,
});

import type { FieldsOf } from '@runcloud/protocol';
import { NETWORK_LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from './fault.ts';

/** Refuses settings that would make the network of a device slow. Throws a `DeviceFault`. */
export function refuseNetworkLimits(settings: FieldsOf<'configureDevice'>, why: string): void {
  const asked = NETWORK_LIMITS.find((name) => settings[name] !== undefined);
  if (asked !== undefined) throw new DeviceFault('unsupported', `"${asked}" is not supported by ${why}.`);
}

import type { Platform } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../device/driver.ts';
import type { DeviceTarget } from '../device/target.ts';
import type { Lease, LeaseScope } from './lease.ts';

/** The place of one device: leased to one session at a time, and to none while the device is unhealthy. */
export interface Slot {
  readonly index: number;
  deviceId: string;
  readonly platform: Platform;
  readonly scope: LeaseScope;
  /** Absent for devices that are made for each session, which are always healthy. */
  readonly target: DeviceTarget | undefined;
  descriptor: DeviceDescriptor;
  lease: Lease | undefined;
  /** Settles when the device is back from the session before, or is not expected any more; never rejects. */
  returning: Promise<void> | undefined;
  /** True when the device may be offered. */
  healthy: boolean;
}

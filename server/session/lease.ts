import type { SessionRequest } from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type { DeviceDescriptor, SnapshotSource } from '../device/driver.ts';
import type { DeviceTarget } from '../device/target.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/** Actions that a lease permits besides seeing and touching its device. */
export interface LeaseScope {
  readonly openUrl: boolean;
}

/** The right of one session to one device, until it is given back. */
export interface Lease {
  readonly leaseId: string;
  /** While waiting, the description of the expected device; another may be free earlier. */
  readonly deviceId: string;
  readonly descriptor: DeviceDescriptor;
  readonly scope: LeaseScope;
  /** Absent for a device that is made for its session. */
  readonly target: DeviceTarget | undefined;
  /**
   * Opens the device, once a matching one is free. Rejects with a `DeviceFault`. The waiting time is subtracted from the host's time
   * limit.
   * @param sessionId id of the session
   * @param snapshot what the device begins with; its orientation counts then
   */
  open(
    orientation: SessionRequest['orientation'],
    apps: readonly InstallableApp[],
    sessionId: string,
    snapshot?: SnapshotSource,
  ): Promise<RemoteDevice>;
  /**
   * Returns the device, even while it is being opened; idempotent. If its session `failed` or its reset failed, it is not offered
   * again before it is made ready.
   * @param closing settles when the host is done with the device; no other operation starts before
   */
  end(how: 'healthy' | 'failed', closing?: Promise<unknown>): void;
}

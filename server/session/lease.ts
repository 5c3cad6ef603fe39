import type { SessionRequest } from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type { DeviceDescriptor } from '../device/driver.ts';
import type { RemoteDevice } from '../link/remote-device.ts';

/** Actions that a lease permits besides seeing and touching its device. */
export interface LeaseScope {
  readonly openUrl: boolean;
}

/** The right of one session to one device, until it is given back. */
export interface Lease {
  readonly leaseId: string;
  /** As long as the device is waited for, that of one which is on its way: another may come free before it. */
  readonly deviceId: string;
  readonly descriptor: DeviceDescriptor;
  readonly scope: LeaseScope;
  /**
   * Makes the device usable, once one that fits is free. Rejects with a `DeviceFault`. What is waited for is taken off the
   * time that its host has.
   * @param sessionId the session that it is for, as the log names it
   */
  open(
    orientation: SessionRequest['orientation'],
    apps: readonly InstallableApp[],
    sessionId: string,
  ): Promise<RemoteDevice>;
  /**
   * Gives the device back, also one that is still being opened; a second time does nothing. One whose session `failed`, or
   * that did not come back as it should, is not offered again before it was made ready.
   * @param closing settles when the host is done with the device: nothing else begins with it before
   */
  end(how: 'healthy' | 'failed', closing?: Promise<unknown>): void;
}

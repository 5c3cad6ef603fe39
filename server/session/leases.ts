import { newId, type Platform, ServiceError, type SessionRequest } from '@runcloud/protocol';
import type { InstallableApp } from '../device/app-package.ts';
import type { DeviceDescriptor } from '../device/driver.ts';
import type { HostPool } from '../link/host-pool.ts';
import { RemoteDevice } from '../link/remote-device.ts';

/** What the holder of a lease may have done on its device, beyond seeing and touching it. */
export interface LeaseScope {
  readonly openUrl: boolean;
}

/** Devices of one kind that this host offers. */
export interface DeviceStock {
  /** What leases of these devices permit. */
  readonly scope: LeaseScope;
  readonly platform: Platform;
  readonly count: number;
  readonly descriptor: DeviceDescriptor;
}

interface Slot {
  readonly index: number;
  readonly deviceId: string;
  readonly platform: Platform;
  readonly descriptor: DeviceDescriptor;
  readonly scope: LeaseScope;
  lease: Lease | undefined;
}

/** The right of one session to one device, until it is given back. */
export interface Lease {
  readonly leaseId: string;
  readonly deviceId: string;
  readonly descriptor: DeviceDescriptor;
  readonly scope: LeaseScope;
  /** Makes the device usable. Rejects with a `DeviceFault`. */
  open(orientation: SessionRequest['orientation'], apps: readonly InstallableApp[]): Promise<RemoteDevice>;
  /** Gives the device back; a second time does nothing. */
  end(): void;
}

/** Which devices there are and who has them. */
export class Leases {
  readonly #hosts: HostPool;
  readonly #slots: readonly Slot[];

  constructor(stocks: readonly DeviceStock[], hosts: HostPool) {
    this.#hosts = hosts;
    this.#slots = stocks
      .flatMap(({ count, ...kind }) => Array.from({ length: count }, () => kind))
      .map((slot, index) => ({ ...slot, index, deviceId: newId('dev'), lease: undefined }));
  }

  /**
   * Leases a free device that fits. Throws `ServiceError`: `invalid_session_request` when no device would ever fit,
   * `simulator_capacity_unavailable` when those that do are taken.
   */
  acquire({ platform, deviceModel, osVersion }: Pick<SessionRequest, 'platform' | 'deviceModel' | 'osVersion'>): Lease {
    const offered = this.#slots.filter((slot) => slot.platform === platform);
    const models = offered.filter(({ descriptor }) => deviceModel === undefined || descriptor.model === deviceModel);
    if (offered.length > 0) refuseUnknown('deviceModel', models, offered, (descriptor) => descriptor.model);
    const fitting = models.filter(({ descriptor }) => osVersion === undefined || descriptor.osVersion === osVersion);
    if (models.length > 0) refuseUnknown('osVersion', fitting, models, (descriptor) => descriptor.osVersion);
    const free = fitting.find((slot) => slot.lease === undefined);
    if (!free) {
      const message = `No ${platform} device is free; this host has ${offered.length}.`;
      throw new ServiceError('simulator_capacity_unavailable', message, { retryAfterSeconds: 5 });
    }
    free.lease = this.#lease(free);
    return free.lease;
  }

  #lease(slot: Slot): Lease {
    const lease: Lease = {
      leaseId: newId('lse'),
      deviceId: slot.deviceId,
      descriptor: slot.descriptor,
      scope: slot.scope,
      open: async (orientation, apps) => {
        const { link, device } = this.#hosts.link(slot.index);
        return RemoteDevice.open(link, device, { platform: slot.platform, orientation, apps });
      },
      end: () => {
        if (slot.lease === lease) slot.lease = undefined;
      },
    };
    return lease;
  }
}

function refuseUnknown(
  field: string,
  fitting: readonly Slot[],
  offered: readonly Slot[],
  value: (descriptor: DeviceDescriptor) => string,
): void {
  if (fitting.length > 0) return;
  const known = [...new Set(offered.map(({ descriptor }) => value(descriptor)))].join(', ');
  throw new ServiceError('invalid_session_request', `"${field}" must be one of ${known}.`);
}

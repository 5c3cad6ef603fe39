import type { SessionRequest } from '@runcloud/protocol';
import { newId, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceDescriptor } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { DeviceTarget } from '../device/target.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import { within } from '../flow/within.ts';
import type { HostPool } from '../link/host-pool.ts';
import { RemoteDevice } from '../link/remote-device.ts';
import type { Lease, LeaseScope } from './lease.ts';
import type { Slot } from './slot.ts';
import { SlotHealth, type SlotHealthOptions } from './slot-health.ts';

/** Devices of one kind that this host offers. */
export interface DeviceStock {
  /** What leases of these devices permit. */
  readonly scope: LeaseScope;
  readonly platform: Platform;
  readonly count: number;
  readonly descriptor: DeviceDescriptor;
  /** The one real device that this stock is; absent for devices that are made for each session. */
  readonly target?: DeviceTarget;
}

export interface LeasesOptions {
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly onHealth?: SlotHealthOptions['onChange'];
}

/** A host gives a reset up after 60 s, and says so; this one is for a host thread that hangs. */
export const RETURN_MS_MAX = 90_000;

/** Which devices there are and who has them. */
export class Leases {
  readonly #clock: Clock;
  readonly #hosts: HostPool;
  readonly #slots: Slot[] = [];
  readonly #health: SlotHealth;

  constructor(stocks: readonly DeviceStock[], hosts: HostPool, options: LeasesOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#hosts = hosts;
    this.#health = new SlotHealth({
      clock: this.#clock,
      random: options.random ?? Math.random,
      makeReady: (slot, target) => {
        const { link, device } = this.#hosts.link(slot.index);
        return link.ask('makeReady', device, { target }).answered;
      },
      onChange: options.onHealth ?? (() => undefined),
    });
    for (const stock of stocks) this.add(stock);
  }

  /** Offers more devices; a real one once it was made ready. One that is known already stays as it is. */
  add({ count, target, ...kind }: DeviceStock): void {
    if (target && this.#slots.some((slot) => slot.target?.driver === target.driver && slot.target.id === target.id))
      return;
    for (let number = 0; number < count; number++) {
      const index = this.#slots.length;
      const nobodys = { lease: undefined, returning: undefined, well: !target };
      const slot: Slot = { ...kind, target, index, deviceId: newId('dev'), ...nobodys };
      this.#slots.push(slot);
      this.#health.doubt(slot);
    }
  }

  /** Looks after no device any more. */
  close(): void {
    this.#health.close();
  }

  /** Settles when every device is back that was given back. */
  async allBack(): Promise<void> {
    await Promise.all(this.#slots.map(({ returning }) => returning));
  }

  /**
   * Leases a free device that fits, or else one that is about to be free. Throws `ServiceError`: `invalid_session_request` when no device would ever fit,
   * `simulator_capacity_unavailable` when those that do are taken.
   */
  acquire({ platform, deviceModel, osVersion }: Pick<SessionRequest, 'platform' | 'deviceModel' | 'osVersion'>): Lease {
    const offered = this.#slots.filter((slot) => slot.platform === platform);
    const models = offered.filter(({ descriptor }) => deviceModel === undefined || descriptor.model === deviceModel);
    if (offered.length > 0) refuseUnknown('deviceModel', models, offered, (descriptor) => descriptor.model);
    const fitting = models.filter(({ descriptor }) => osVersion === undefined || descriptor.osVersion === osVersion);
    if (models.length > 0) refuseUnknown('osVersion', fitting, models, (descriptor) => descriptor.osVersion);
    const offers = fitting.filter((slot) => slot.lease === undefined && slot.well);
    const free = offers.find(({ returning }) => returning === undefined) ?? offers[0];
    if (!free) {
      const unwell = fitting.filter(({ well }) => !well).length;
      const starting = unwell === 0 ? '' : `, of which ${unwell} cannot be used at the moment`;
      const message = `No ${platform} device is free; this host has ${offered.length}${starting}.`;
      throw new ServiceError('simulator_capacity_unavailable', message, { retryAfterSeconds: 5 });
    }
    free.lease = this.#lease(free);
    return free.lease;
  }

  #lease(slot: Slot): Lease {
    const given = new AbortController();
    const lease: Lease = {
      leaseId: newId('lse'),
      deviceId: slot.deviceId,
      descriptor: slot.descriptor,
      scope: slot.scope,
      open: async (orientation, apps) => {
        const askedMs = this.#clock.monotonicMs();
        await slot.returning;
        if (given.signal.aborted) throw new DeviceFault('aborted', 'The device is not wanted any more.');
        if (!slot.well) throw new DeviceFault('unavailable', 'It did not come back from the session before.');
        const waitedMs = this.#clock.monotonicMs() - askedMs;
        const { link, device } = this.#hosts.link(slot.index);
        const { platform, target } = slot;
        return RemoteDevice.open(
          link,
          device,
          { platform, orientation, apps, ...(target ? { target } : {}) },
          { waitedMs, signal: given.signal },
        );
      },
      end: (how, closing) => {
        if (slot.lease !== lease) return;
        slot.lease = undefined;
        given.abort();
        if (how === 'failed') this.#health.doubt(slot);
        if (closing) this.#takeBack(slot, closing);
      },
    };
    return lease;
  }

  #takeBack(slot: Slot, closing: Promise<unknown>): void {
    const back = () => {
      slot.returning = undefined;
      // Looked at when it was back, not while it was on its way.
      if (!slot.well) this.#health.doubt(slot);
    };
    const astray = () => {
      this.#health.doubt(slot);
      back();
    };
    slot.returning = within(RETURN_MS_MAX, this.#clock, closing).then(back, astray);
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

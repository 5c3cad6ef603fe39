import type { SessionRequest } from '@runcloud/protocol';
import { newId, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceDescriptor } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { DeviceTarget } from '../device/target.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { HostPool } from '../link/host-pool.ts';
import { RemoteDevice } from '../link/remote-device.ts';
import type { Lease, LeaseScope } from './lease.ts';
import type { Slot } from './slot.ts';
import { SlotHealth, type SlotHealthOptions } from './slot-health.ts';
import { type Place, WaitingLine } from './waiting-line.ts';

/** Devices of one kind that this host offers. */
export interface DeviceStock {
  /** The scope of leases of these devices. */
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

const ASTRAY = 'It did not come back from the session before.';

/** Which devices there are and who has them. */
export class Leases {
  readonly #clock: Clock;
  readonly #hosts: HostPool;
  readonly #slots: Slot[] = [];
  readonly #health: SlotHealth;
  readonly #line: WaitingLine;

  constructor(stocks: readonly DeviceStock[], hosts: HostPool, options: LeasesOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#hosts = hosts;
    this.#health = new SlotHealth({
      clock: this.#clock,
      random: options.random ?? Math.random,
      makeReady: (slot, target) => {
        const { link, device } = this.#hosts.link(slot.index);
        return link.ask('makeReady', device, { target }, { deviceId: slot.deviceId }).answered;
      },
      onChange: options.onHealth ?? (() => undefined),
      onLooked: () => this.#line.serve('It is still being made ready.'),
    });
    this.#line = new WaitingLine({
      slots: this.#slots,
      isFree: (slot) => this.#isFree(slot),
      isComing: (slot) => this.#isComing(slot),
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
    this.#line.serve(ASTRAY);
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
   * Leases a free device that fits, or else the first that comes free of those that are about to. Throws `ServiceError`:
   * `invalid_session_request` when no device would ever fit, `simulator_capacity_unavailable` when those that do are taken.
   */
  acquire({ platform, deviceModel, osVersion }: Pick<SessionRequest, 'platform' | 'deviceModel' | 'osVersion'>): Lease {
    const offered = this.#slots.filter((slot) => slot.platform === platform);
    const models = offered.filter(({ descriptor }) => deviceModel === undefined || descriptor.model === deviceModel);
    if (offered.length > 0) refuseUnknown('deviceModel', models, offered, (descriptor) => descriptor.model);
    const fitting = models.filter(({ descriptor }) => osVersion === undefined || descriptor.osVersion === osVersion);
    if (models.length > 0) refuseUnknown('osVersion', fitting, models, (descriptor) => descriptor.osVersion);
    const fits = (slot: Slot) => fitting.includes(slot);
    const slot = fitting.find((each) => this.#isFree(each)) ?? this.#line.hope(fits);
    if (slot) return this.#lease(slot, fits);
    const unwell = fitting.filter(({ well }) => !well).length;
    const starting = unwell === 0 ? '' : `, of which ${unwell} cannot be used at the moment`;
    const message = `No ${platform} device is free; this host has ${offered.length}${starting}.`;
    throw new ServiceError('simulator_capacity_unavailable', message, { retryAfterSeconds: 5 });
  }

  /** True when the device is not leased and not being checked. */
  #isFree(slot: Slot): boolean {
    return slot.lease === undefined && slot.well && !slot.returning && !this.#health.isLookedAt(slot);
  }

  /** It is on its way back from its last session, or looked at for a moment. */
  #isComing(slot: Slot): boolean {
    if (slot.lease || !slot.well || this.#isFree(slot)) return false;
    return this.#health.isLookedAt(slot) !== 'long';
  }

  /** @param first the device itself, or, where it is not free, one to tell of for as long as another may be faster */
  #lease(first: Slot, fits: Place['fits']): Lease {
    const given = new AbortController();
    let slot = first;
    let leave: () => void = () => undefined;
    const lease: Lease = {
      leaseId: newId('lse'),
      get deviceId() {
        return slot.deviceId;
      },
      get descriptor() {
        return slot.descriptor;
      },
      get scope() {
        return slot.scope;
      },
      open: async (orientation, apps, sessionId) => {
        const askedMs = this.#clock.monotonicMs();
        await held;
        if (given.signal.aborted) throw new DeviceFault('aborted', 'The device is not wanted any more.');
        const waitedMs = this.#clock.monotonicMs() - askedMs;
        const { link, device } = this.#hosts.link(slot.index);
        const { platform, target } = slot;
        return RemoteDevice.open(
          link,
          device,
          { platform, orientation, apps, ...(target ? { target } : {}) },
          { waitedMs, signal: given.signal, sessionId },
        );
      },
      end: (how, closing) => {
        given.abort();
        leave();
        if (slot.lease !== lease) return;
        slot.lease = undefined;
        if (how === 'failed') this.#health.doubt(slot);
        if (closing) this.#takeBack(slot, closing);
        else this.#line.serve(ASTRAY);
      },
    };
    const held = new Promise<void>((resolve, reject) => {
      const hold = (free: Slot) => {
        slot = free;
        slot.lease = lease;
        resolve();
      };
      if (this.#isFree(first)) return hold(first);
      const place: Place = { fits, served: hold, refused: reject };
      this.#line.join(place);
      leave = () => {
        this.#line.leave(place);
        resolve();
      };
    });
    // A holder that ends the lease before opening it is not told.
    held.catch(() => undefined);
    return lease;
  }

  #takeBack(slot: Slot, closing: Promise<unknown>): void {
    const back = () => {
      slot.returning = undefined;
      // Looked at when it was back, not while it was on its way.
      if (!slot.well) this.#health.doubt(slot);
      this.#line.serve(ASTRAY);
    };
    const astray = () => {
      this.#health.doubt(slot);
      back();
    };
    slot.returning = withTimeout(RETURN_MS_MAX, this.#clock, closing).then(back, astray);
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

import type { SessionRequest } from '@runcloud/protocol';
import { newId, PLATFORM_NAMES, type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceDescriptor, SnapshotSource } from '../device/driver.ts';
import { DeviceFault } from '../device/fault.ts';
import type { DeviceTarget } from '../device/target.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { HostPool } from '../link/host-pool.ts';
import { RemoteDevice } from '../link/remote-device.ts';
import { DeviceQueue, type Waiter } from './device-queue.ts';
import type { Lease, LeaseScope } from './lease.ts';
import type { Slot } from './slot.ts';
import { SlotHealth, type SlotHealthOptions } from './slot-health.ts';

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

/** Devices of one kind. */
export interface StockCount extends Pick<DeviceDescriptor, 'driver' | 'model' | 'osVersion'> {
  readonly platform: Slot['platform'];
  readonly total: number;
  readonly free: number;
}

/** Limit for a hung host thread; the host's own limit of a reset is 60 s. */
export const RETURN_MS_MAX = 90_000;

const NOT_RETURNED = 'It did not come back from the session before.';

/** All devices and their leases. */
export class Leases {
  readonly #clock: Clock;
  readonly #hosts: HostPool;
  readonly #slots: Slot[] = [];
  readonly #health: SlotHealth;
  readonly #queue: DeviceQueue;

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
      onChecked: () => this.#queue.serve('It is still being made ready.'),
    });
    this.#queue = new DeviceQueue({
      slots: this.#slots,
      isFree: (slot) => this.#isFree(slot),
      isExpected: (slot) => this.#isExpected(slot),
    });
    for (const stock of stocks) this.add(stock);
  }

  /** Adds devices; a real device is offered once it is ready. A known device is unchanged. */
  add({ count, target, ...kind }: DeviceStock): void {
    if (target && this.#slots.some((slot) => slot.target?.driver === target.driver && slot.target.id === target.id))
      return;
    for (let number = 0; number < count; number++) {
      const index = this.#slots.length;
      const unleased = { lease: undefined, returning: undefined, healthy: !target };
      const slot: Slot = { ...kind, target, index, deviceId: newId('dev'), ...unleased };
      this.#slots.push(slot);
      this.#health.markSuspect(slot);
    }
    this.#queue.serve(NOT_RETURNED);
  }

  /** The devices of each kind, and how many of them can be leased now. */
  count(): StockCount[] {
    const counts = new Map<string, StockCount>();
    for (const slot of this.#slots) {
      const { model, osVersion, driver } = slot.descriptor;
      const kind = `${slot.platform} ${driver} ${model} ${osVersion}`;
      const { total, free } = counts.get(kind) ?? { total: 0, free: 0 };
      const found = { platform: slot.platform, driver, model, osVersion };
      counts.set(kind, { ...found, total: total + 1, free: free + (this.#isFree(slot) ? 1 : 0) });
    }
    return [...counts.values()];
  }

  /** Stops the health checks. */
  close(): void {
    this.#health.close();
  }

  /** Settles when every returned device is reset. */
  async allBack(): Promise<void> {
    await Promise.all(this.#slots.map(({ returning }) => returning));
  }

  /**
   * Leases a free matching device, for a snapshot one like its own, or else the first one that becomes free soon. Throws `ServiceError`: `invalid_session_request` if
   * no device ever matches, `simulator_capacity_unavailable` if all matching devices are leased.
   */
  acquire(
    { platform, deviceModel, osVersion }: Pick<SessionRequest, 'platform' | 'deviceModel' | 'osVersion'>,
    snapshot?: Pick<SnapshotSource, 'model' | 'driver' | 'onlyOn'>,
  ): Lease {
    const offered = this.#slots.filter(
      (slot) => slot.platform === platform && (!snapshot || canBeginWith(snapshot, slot)),
    );
    if (snapshot && offered.length === 0) {
      const { model, driver, onlyOn } = snapshot;
      const message =
        onlyOn === undefined
          ? `"snapshot" is of the model ${model} (${driver}), of which this host offers no device.`
          : `"snapshot" is of "${onlyOn}" (${driver}), which this host does not offer.`;
      throw new ServiceError('invalid_session_request', message);
    }
    const models = offered.filter(({ descriptor }) => deviceModel === undefined || descriptor.model === deviceModel);
    if (offered.length > 0) refuseUnknown('deviceModel', models, offered, (descriptor) => descriptor.model);
    const fitting = models.filter(({ descriptor }) => osVersion === undefined || descriptor.osVersion === osVersion);
    if (models.length > 0) refuseUnknown('osVersion', fitting, models, (descriptor) => descriptor.osVersion);
    const fits = (slot: Slot) => fitting.includes(slot);
    const slot = fitting.find((each) => this.#isFree(each)) ?? this.#queue.expectedSlot(fits);
    if (slot) return this.#lease(slot, fits);
    const unhealthy = fitting.filter(({ healthy }) => !healthy).length;
    const starting = unhealthy === 0 ? '' : `, of which ${unhealthy} cannot be used at the moment`;
    const message = `No ${PLATFORM_NAMES[platform]} device is free; this host has ${offered.length}${starting}.`;
    throw new ServiceError('simulator_capacity_unavailable', message, { retryAfterSeconds: 5 });
  }

  /**
   * Gives a device to the session again that had it in a process before this one, and opens it as it is; `undefined` where it is not
   * offered, or another session has it.
   */
  retake(
    { driver, id }: Pick<DeviceTarget, 'driver' | 'id'>,
    { deviceId, leaseId }: Pick<Lease, 'deviceId' | 'leaseId'>,
  ): Lease | undefined {
    const slot = this.#slots.find(({ target, lease }) => target?.driver === driver && target.id === id && !lease);
    if (!slot) return undefined;
    slot.deviceId = deviceId;
    return this.#lease(slot, () => false, leaseId);
  }

  /** True when the device is not leased and not being checked. */
  #isFree(slot: Slot): boolean {
    return slot.lease === undefined && slot.healthy && !slot.returning && !this.#health.checking(slot);
  }

  /** True when it is on its way back from its last session, or in a short check. */
  #isExpected(slot: Slot): boolean {
    if (slot.lease || !slot.healthy || this.#isFree(slot)) return false;
    return this.#health.checking(slot) !== 'long';
  }

  /**
   * @param first the leased device or, if none is free, the expected one; another may be free earlier
   * @param retaken the id of a lease of this very device that goes on
   */
  #lease(first: Slot, fits: Waiter['fits'], retaken?: string): Lease {
    const given = new AbortController();
    let slot = first;
    let leave: () => void = () => undefined;
    const lease: Lease = {
      leaseId: retaken ?? newId('lse'),
      get deviceId() {
        return slot.deviceId;
      },
      get descriptor() {
        return slot.descriptor;
      },
      get scope() {
        return slot.scope;
      },
      get target() {
        return slot.target;
      },
      open: async (orientation, apps, sessionId, snapshot) => {
        const askedMs = this.#clock.monotonicMs();
        await held;
        if (given.signal.aborted) throw new DeviceFault('aborted', 'The device is not wanted any more.');
        const waitedMs = this.#clock.monotonicMs() - askedMs;
        const { link, device } = this.#hosts.link(slot.index);
        const { platform, target } = slot;
        return RemoteDevice.open(
          link,
          device,
          {
            platform,
            orientation,
            apps,
            session: sessionId,
            ...(retaken !== undefined && { goesOn: true }),
            ...(target ? { target } : { model: slot.descriptor.model }),
            ...(snapshot && { snapshot }),
          },
          { waitedMs, signal: given.signal, sessionId },
        );
      },
      end: (how, closing) => {
        given.abort();
        leave();
        if (slot.lease !== lease) return;
        slot.lease = undefined;
        if (how === 'failed') this.#health.markSuspect(slot);
        if (closing) this.#awaitReturn(slot, closing);
        else this.#queue.serve(NOT_RETURNED);
      },
    };
    const held = new Promise<void>((resolve, reject) => {
      const hold = (free: Slot) => {
        slot = free;
        slot.lease = lease;
        resolve();
      };
      if (retaken !== undefined || this.#isFree(first)) return hold(first);
      const waiter: Waiter = { fits, served: hold, refused: reject };
      this.#queue.push(waiter);
      leave = () => {
        this.#queue.remove(waiter);
        resolve();
      };
    });
    // A lease that ended before it was opened needs no notification.
    held.catch(() => undefined);
    return lease;
  }

  #awaitReturn(slot: Slot, closing: Promise<unknown>): void {
    const back = () => {
      slot.returning = undefined;
      // Looked at when it was back, not while it was on its way.
      if (!slot.healthy) this.#health.markSuspect(slot);
      this.#queue.serve(NOT_RETURNED);
    };
    const lost = () => {
      this.#health.markSuspect(slot);
      back();
    };
    slot.returning = withTimeout(RETURN_MS_MAX, this.#clock, closing).then(back, lost);
  }
}

const canBeginWith = (
  { model, driver, onlyOn }: Pick<SnapshotSource, 'model' | 'driver' | 'onlyOn'>,
  { descriptor, target }: Slot,
): boolean =>
  descriptor.driver === driver && (onlyOn === undefined ? descriptor.model === model : target?.id === onlyOn);

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

import { DeviceFault } from '../device/fault.ts';
import type { Slot } from './slot.ts';

/** A caller that waits for a device. Exactly one of the two callbacks is called, once. */
export interface Waiter {
  readonly fits: (slot: Slot) => boolean;
  readonly served: (slot: Slot) => void;
  readonly refused: (fault: DeviceFault) => void;
}

export interface DeviceQueueOptions {
  readonly slots: readonly Slot[];
  /** The device is free. */
  readonly isFree: (slot: Slot) => boolean;
  /** The device is expected to be free soon. */
  readonly isExpected: (slot: Slot) => boolean;
}

/**
 * Callers that wait for devices which are about to be free, first come first served. A caller waits for any device that
 * fits, not for a certain one. There are never more callers than expected devices.
 */
export class DeviceQueue {
  readonly #options: DeviceQueueOptions;
  readonly #waiters: Waiter[] = [];

  constructor(options: DeviceQueueOptions) {
    this.#options = options;
  }

  /** An expected device for one more caller; `undefined` if earlier callers get all of them. */
  expectedSlot(fits: Waiter['fits']): Slot | undefined {
    const expected = this.#expected();
    for (const waiter of this.#waiters) take(expected, waiter.fits);
    return take(expected, fits);
  }

  push(waiter: Waiter): void {
    this.#waiters.push(waiter);
  }

  /** Stops waiting; neither callback is called. */
  remove(waiter: Waiter): void {
    const at = this.#waiters.indexOf(waiter);
    if (at >= 0) this.#waiters.splice(at, 1);
  }

  /**
   * Call it when a device has become free, or will not after all. Assigns free devices, and refuses the last callers
   * for whom no device is expected any more.
   * @param why the message for the refused callers
   */
  serve(why: string): void {
    const { slots, isFree } = this.#options;
    for (const waiter of [...this.#waiters]) {
      const slot = slots.find((each) => isFree(each) && waiter.fits(each));
      if (!slot) continue;
      this.remove(waiter);
      waiter.served(slot);
    }
    const expected = this.#expected();
    for (const waiter of [...this.#waiters]) {
      if (take(expected, waiter.fits)) continue;
      this.remove(waiter);
      waiter.refused(new DeviceFault('unavailable', why));
    }
  }

  #expected(): Slot[] {
    return this.#options.slots.filter(this.#options.isExpected);
  }
}

function take(slots: Slot[], fits: Waiter['fits']): Slot | undefined {
  const at = slots.findIndex(fits);
  return at < 0 ? undefined : slots.splice(at, 1)[0];
}

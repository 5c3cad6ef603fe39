import { DeviceFault } from '../device/fault.ts';
import type { Slot } from './slot.ts';

/** A caller that waits for a device. Exactly one of the two callbacks is called, once. */
export interface Place {
  readonly fits: (slot: Slot) => boolean;
  readonly served: (slot: Slot) => void;
  readonly refused: (fault: DeviceFault) => void;
}

export interface WaitingLineOptions {
  readonly slots: readonly Slot[];
  /** The device can be had now. */
  readonly isFree: (slot: Slot) => boolean;
  /** It will be free soon, as far as one can tell. */
  readonly isComing: (slot: Slot) => boolean;
}

/**
 * Callers that wait for devices which are about to be free, first come first served. A caller waits for any device that
 * fits, not for a certain one. There are never more callers than expected devices.
 */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  readonly #places: Place[] = [];

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  /** A device on its way for one more who wants such; `undefined` when those before are to get all of them. */
  hope(fits: Place['fits']): Slot | undefined {
    const coming = this.#coming();
    for (const place of this.#places) take(coming, place.fits);
    return take(coming, fits);
  }

  join(place: Place): void {
    this.#places.push(place);
  }

  /** Waits no longer, and is told nothing any more. */
  leave(place: Place): void {
    const at = this.#places.indexOf(place);
    if (at >= 0) this.#places.splice(at, 1);
  }

  /**
   * Call it when a device has become free, or will not after all. Assigns free devices, and refuses the last callers
   * for whom no device is expected any more.
   * @param why the message for the refused callers
   */
  serve(why: string): void {
    const { slots, isFree } = this.#options;
    for (const place of [...this.#places]) {
      const slot = slots.find((each) => isFree(each) && place.fits(each));
      if (!slot) continue;
      this.leave(place);
      place.served(slot);
    }
    const coming = this.#coming();
    for (const place of [...this.#places]) {
      if (take(coming, place.fits)) continue;
      this.leave(place);
      place.refused(new DeviceFault('unavailable', why));
    }
  }

  #coming(): Slot[] {
    return this.#options.slots.filter(this.#options.isComing);
  }
}

function take(slots: Slot[], fits: Place['fits']): Slot | undefined {
  const at = slots.findIndex(fits);
  return at < 0 ? undefined : slots.splice(at, 1)[0];
}

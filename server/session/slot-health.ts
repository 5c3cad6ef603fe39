import type { DeviceDescriptor } from '../device/driver.ts';
import type { DeviceTarget } from '../device/target.ts';
import { type Backoff, backoffMs } from '../flow/backoff.ts';
import type { Clock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { Slot } from './slot.ts';

/** A device that is not well is tried again after this; booting one takes about a minute anyway. */
const RETRY: Backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
/** How often an unleased device is checked. */
const LOOK_INTERVAL_MS = 30_000;
/** A device that is looked at is waited for no longer: it is not as well as it was. */
const SHORT_LOOK_MS_MAX = 10_000;
/** Drivers have shorter bounds of their own; this one is for a host thread that hangs. */
const READY_MS_MAX = 300_000;

export interface SlotHealthOptions {
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
  /** Asks the slot's host to make its device ready. Rejects with a `DeviceFault`. */
  readonly makeReady: (slot: Slot, target: DeviceTarget) => Promise<DeviceDescriptor>;
  /** Told when a device stops or begins to be offered, with the reason where there is one. */
  readonly onChange: (slot: Slot, reason: string | undefined) => void;
  /** Called when a check has ended, and when it takes so long that callers should not wait for it. */
  readonly onLooked: () => void;
}

/**
 * Keeps unhealthy devices from being offered: a new or lost device is made ready first, with growing pauses between the
 * tries, and an unleased device is checked now and then.
 */
export class SlotHealth {
  readonly #options: SlotHealthOptions;
  /** Takes a slot's next look back. */
  readonly #looks = new Map<Slot, () => void>();
  readonly #failures = new Map<Slot, number>();
  readonly #running = new Set<Slot>();
  /** Running checks that take long. */
  readonly #lasting = new Set<Slot>();
  #closed = false;

  constructor(options: SlotHealthOptions) {
    this.#options = options;
  }

  /** The device is not offered until it was made ready. Slots without a target are well by nature. */
  doubt(slot: Slot): void {
    if (!slot.target) return;
    slot.well = false;
    this.#lookAfter(slot, 0);
  }

  /** Tells whether the device is being checked now; a `short` check is about to end. */
  isLookedAt(slot: Slot): false | 'short' | 'long' {
    if (!this.#running.has(slot)) return false;
    return this.#lasting.has(slot) ? 'long' : 'short';
  }

  /** Looks at no device any more. */
  close(): void {
    this.#closed = true;
    for (const takeBack of this.#looks.values()) takeBack();
    this.#looks.clear();
  }

  #lookAfter(slot: Slot, delayMs: number): void {
    if (this.#closed) return;
    this.#looks.get(slot)?.();
    this.#looks.set(
      slot,
      this.#options.clock.schedule(delayMs, () => void this.#look(slot)),
    );
  }

  async #look(slot: Slot): Promise<void> {
    const { clock, random, makeReady, onChange, onLooked } = this.#options;
    // Its session hears of a device that is lost.
    if (slot.lease || slot.returning || this.#running.has(slot)) return this.#lookAfter(slot, LOOK_INTERVAL_MS);
    if (!slot.target) return;
    this.#running.add(slot);
    const wasWell = slot.well;
    const takeBackWarning = clock.schedule(SHORT_LOOK_MS_MAX, () => {
      this.#lasting.add(slot);
      onLooked();
    });
    try {
      slot.descriptor = await withTimeout(READY_MS_MAX, clock, makeReady(slot, slot.target));
      this.#failures.delete(slot);
      slot.well = true;
      if (!wasWell) onChange(slot, undefined);
      this.#lookAfter(slot, LOOK_INTERVAL_MS);
    } catch (error) {
      const failures = (this.#failures.get(slot) ?? 0) + 1;
      this.#failures.set(slot, failures);
      slot.well = false;
      if (wasWell || failures === 1) onChange(slot, error instanceof Error ? error.message : String(error));
      this.#lookAfter(slot, backoffMs(RETRY, failures, random));
    } finally {
      takeBackWarning();
      this.#running.delete(slot);
      this.#lasting.delete(slot);
      onLooked();
    }
  }
}

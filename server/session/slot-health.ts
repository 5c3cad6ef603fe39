import type { DeviceDescriptor } from '../device/driver.ts';
import type { DeviceTarget } from '../device/target.ts';
import { type Backoff, backoffMs } from '../flow/backoff.ts';
import type { Clock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { Slot } from './slot.ts';

/** Pauses before an unhealthy device is tried again; booting one takes about a minute anyway. */
const RETRY: Backoff = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
/** How often an unleased device is checked. */
const CHECK_INTERVAL_MS = 30_000;
/** Callers wait for a check no longer than this: the device is probably not healthy. */
const SHORT_CHECK_MS_MAX = 10_000;
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
  readonly onChecked: () => void;
}

/**
 * Keeps unhealthy devices from being offered: a new or lost device is made ready first, with growing pauses between the
 * tries, and an unleased device is checked now and then.
 */
export class SlotHealth {
  readonly #options: SlotHealthOptions;
  /** Functions that cancel the next check, by slot. */
  readonly #nextChecks = new Map<Slot, () => void>();
  readonly #failures = new Map<Slot, number>();
  readonly #checking = new Set<Slot>();
  /** Running checks that take long. */
  readonly #longChecks = new Set<Slot>();
  #closed = false;

  constructor(options: SlotHealthOptions) {
    this.#options = options;
  }

  /** The device is not offered until it was made ready. Slots without a target are always healthy. */
  markSuspect(slot: Slot): void {
    if (!slot.target) return;
    slot.healthy = false;
    this.#checkLater(slot, 0);
  }

  /** Tells whether the device is being checked now; a `short` check is about to end. */
  checking(slot: Slot): false | 'short' | 'long' {
    if (!this.#checking.has(slot)) return false;
    return this.#longChecks.has(slot) ? 'long' : 'short';
  }

  /** Looks at no device any more. */
  close(): void {
    this.#closed = true;
    for (const cancelTimer of this.#nextChecks.values()) cancelTimer();
    this.#nextChecks.clear();
  }

  #checkLater(slot: Slot, delayMs: number): void {
    if (this.#closed) return;
    this.#nextChecks.get(slot)?.();
    this.#nextChecks.set(
      slot,
      this.#options.clock.schedule(delayMs, () => void this.#check(slot)),
    );
  }

  async #check(slot: Slot): Promise<void> {
    const { clock, random, makeReady, onChange, onChecked } = this.#options;
    // Its session hears of a device that is lost.
    if (slot.lease || slot.returning || this.#checking.has(slot)) return this.#checkLater(slot, CHECK_INTERVAL_MS);
    if (!slot.target) return;
    this.#checking.add(slot);
    const wasHealthy = slot.healthy;
    const cancelWarning = clock.schedule(SHORT_CHECK_MS_MAX, () => {
      this.#longChecks.add(slot);
      onChecked();
    });
    try {
      slot.descriptor = await withTimeout(READY_MS_MAX, clock, makeReady(slot, slot.target));
      this.#failures.delete(slot);
      slot.healthy = true;
      if (!wasHealthy) onChange(slot, undefined);
      this.#checkLater(slot, CHECK_INTERVAL_MS);
    } catch (error) {
      const failures = (this.#failures.get(slot) ?? 0) + 1;
      this.#failures.set(slot, failures);
      slot.healthy = false;
      if (wasHealthy || failures === 1) onChange(slot, error instanceof Error ? error.message : String(error));
      this.#checkLater(slot, backoffMs(RETRY, failures, random));
    } finally {
      cancelWarning();
      this.#checking.delete(slot);
      this.#longChecks.delete(slot);
      onChecked();
    }
  }
}

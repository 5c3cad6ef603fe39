import type { Clock } from './clock.ts';
import { throwUncaught } from './throw-uncaught.ts';

/** A scheduled task that can be cancelled. */
export interface Deadline {
  cancel(): void;
}

class ScheduledTask implements Deadline {
  readonly dueMs: number;
  task: (() => void) | undefined;
  readonly #slot: Set<ScheduledTask>;
  readonly #onRemoved: () => void;

  constructor(dueMs: number, task: () => void, slot: Set<ScheduledTask>, onRemoved: () => void) {
    this.dueMs = dueMs;
    this.task = task;
    this.#slot = slot;
    this.#onRemoved = onRemoved;
    slot.add(this);
  }

  cancel(): void {
    this.task = undefined;
    if (this.#slot.delete(this)) this.#onRemoved();
  }
}

export interface DeadlineWheelOptions {
  readonly tickMs?: number;
  readonly slots?: number;
  /** Called with an error that a task throws; the other tasks still run. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * A timing wheel: one timer for all deadlines of a thread, in a ring of slots, each a tick wide, so that adding and cancelling
 * take constant time. A deadline fires up to a tick late and never early.
 */
export class DeadlineWheel {
  readonly #clock: Clock;
  readonly #tickMs: number;
  readonly #slots: Set<ScheduledTask>[];
  readonly #onFault: (error: unknown) => void;
  #entries = 0;
  #tick: number;
  #stopTimer: (() => void) | undefined;
  #advancing = false;

  constructor(clock: Clock, { tickMs = 10, slots = 512, onFault = throwUncaught }: DeadlineWheelOptions = {}) {
    this.#clock = clock;
    this.#onFault = onFault;
    this.#tickMs = tickMs;
    this.#slots = Array.from({ length: slots }, () => new Set());
    this.#tick = this.#currentTick();
  }

  /** Runs `task` once, `delayMs` from now or up to a tick later. */
  add(delayMs: number, task: () => void): Deadline {
    const dueMs = this.#clock.monotonicMs() + delayMs;
    if (!this.#stopTimer && !this.#advancing) this.#tick = this.#currentTick();
    // A deadline that is already due fires at the next tick, since the current slot was processed.
    const slot = this.#slotOf(Math.max(Math.ceil(dueMs / this.#tickMs), this.#tick + 1));
    const entry = new ScheduledTask(dueMs, task, slot, this.#onRemoved);
    this.#entries++;
    if (!this.#stopTimer && !this.#advancing) this.#arm();
    return entry;
  }

  /** Cancels every deadline. */
  close(): void {
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    for (const slot of this.#slots) for (const entry of slot) entry.cancel();
  }

  readonly #onRemoved = (): void => {
    this.#entries--;
  };

  #currentTick(): number {
    return Math.floor(this.#clock.monotonicMs() / this.#tickMs);
  }

  #slotOf(tick: number): Set<ScheduledTask> {
    return this.#slots[tick % this.#slots.length] as Set<ScheduledTask>;
  }

  /** Wakes at the start of the next tick; timers have a resolution of a millisecond. */
  #arm(): void {
    const edgeMs = (this.#currentTick() + 1) * this.#tickMs;
    this.#stopTimer = this.#clock.schedule(Math.ceil(edgeMs - this.#clock.monotonicMs()), () => {
      this.#stopTimer = undefined;
      this.#advancing = true;
      try {
        this.#advance();
      } finally {
        this.#advancing = false;
        // An empty wheel stops one tick after its last entry, so that short waits do not restart it each time.
        if (this.#entries > 0) this.#arm();
      }
    });
  }

  #advance(): void {
    const nowMs = this.#clock.monotonicMs();
    const now = this.#currentTick();
    // After a long pause of the thread every slot is due at most once.
    const first = Math.max(this.#tick + 1, now - this.#slots.length + 1);
    this.#tick = now;
    // Collected first, since a task may add a deadline to the same slot.
    const due: ScheduledTask[] = [];
    for (let tick = first; tick <= now; tick++) {
      for (const entry of this.#slotOf(tick)) if (entry.dueMs <= nowMs) due.push(entry);
    }
    for (const entry of due) {
      const { task } = entry;
      entry.cancel();
      try {
        task?.();
      } catch (error) {
        this.#onFault(error);
      }
    }
  }
}

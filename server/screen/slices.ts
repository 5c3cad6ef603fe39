import { systemClock } from '../flow/clock.ts';
import { Fifo } from '../flow/fifo.ts';

/** A queue of packets to send. `serve` is short, and harmless when there is nothing to send. */
export interface Lane {
  serve(): void;
  /** True while it waits for its turn; only `SendScheduler` changes it. */
  queued: boolean;
  /** A turn failed; the others go on. */
  failed(error: unknown): void;
}

interface SliceOptions {
  readonly nowMs: () => number;
  /** Runs a task when the event loop has seen to everything else. */
  readonly defer: (task: () => void) => void;
}

/**
 * The longest time that a tap waits for sending, besides one send: once when it arrives and once more when its answer
 * does.
 */
export const SLICE_MS = 0.1;

/**
 * Serves lanes one after the other, for a moment at a time with the event loop free in between. All sessions of a
 * thread share one, so that many streams together hold the loop no longer than one does.
 */
export class Slices {
  readonly #options: SliceOptions;
  readonly #lanes = new Fifo<Lane>(256);
  #spentMs = 0;
  #deferred = false;

  constructor(options: SliceOptions) {
    this.#options = options;
  }

  /** Gives the lane a turn at the next `run`, or when its place in the queue comes. */
  add(lane: Lane): void {
    if (lane.queued) return;
    lane.queued = true;
    this.#lanes.push(lane);
  }

  /** Serves as many lanes as there is time for; the others follow by themselves. */
  run(): void {
    const { nowMs, defer } = this.#options;
    const startMs = nowMs();
    const beforeMs = this.#spentMs;
    while (this.#spentMs < SLICE_MS) {
      const lane = this.#lanes.shift();
      if (!lane) break;
      lane.queued = false;
      try {
        lane.serve();
      } catch (error) {
        lane.failed(error);
      }
      this.#spentMs = beforeMs + nowMs() - startMs;
    }
    // Also when all are served: what else comes before the loop goes round again counts to the same slice.
    if (this.#deferred || (this.#spentMs === 0 && this.#lanes.size === 0)) return;
    this.#deferred = true;
    defer(this.#anew);
  }

  readonly #anew = (): void => {
    this.#deferred = false;
    this.#spentMs = 0;
    if (this.#lanes.size > 0) this.run();
  };
}

/** The one of this thread. */
export const threadSlices = new Slices({
  nowMs: systemClock.monotonicMs,
  defer: (task) => void setImmediate(task),
});

import type { Clock } from '../flow/clock.ts';
import { isStorageError } from '../flow/storage-errors.ts';
import { type EndedKind, type EndedPlace, FIRST_PLACE } from './ended-rows.ts';

/** The thread that serves everybody is held no longer than this at a time. */
export const SLICE_MS_MAX = 5;
/** A slice begins no further step after this time: the rest is for the last step and for the commit. */
const SLICE_MS = 1;
/** Of the thread's time, slices take at most one part in so many. */
const PAUSE_SHARE = 10;
const PAUSE_MS_MIN = 10;
/** Steps of the first slice; from then on the time that slices take says how many. */
const STEPS_FIRST = 8;
const STEPS_MAX = 256;
/** How often there is a look for what has ended, and how soon after the start the first one may be. */
export const PURGE_INTERVAL_MS = 300_000;
export const FIRST_PURGE_MS_MAX = 60_000;
/** How soon it goes on when the storage is locked or in trouble. */
const RETRY_MS = { first: 500, max: 60_000 };

export interface PurgeOptions {
  readonly kinds: readonly EndedKind[];
  /** Runs a task in one transaction; does not run it, and gives `undefined`, while somebody else holds the database. */
  readonly whenFree: <T>(task: () => T) => T | undefined;
  readonly clock: Clock;
  /** Wall time that can be trusted to delete by; `undefined` while there is none. */
  readonly trustedMs: () => number | undefined;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onFault: (error: unknown) => void;
}

/**
 * Forgets what ended long ago, by itself: a few rows at a time, so that nobody who is served notices. What it takes for one
 * slice, it measures; the next one is longer or shorter.
 */
export class Purge {
  readonly #options: PurgeOptions;
  #cancelTimer: () => void = () => undefined;
  #steps = STEPS_FIRST;
  #retryMs = RETRY_MS.first;

  constructor(options: PurgeOptions) {
    this.#options = options;
  }

  /** Begins soon, not with everything else that a start has to do, and goes on until `close`. */
  begin(): void {
    this.#later(this.#options.random() * FIRST_PURGE_MS_MAX, () => this.#look());
  }

  close(): void {
    this.#cancelTimer();
  }

  #look(): void {
    // Asked for at every look: a clock that was set is noticed by that.
    const nowMs = this.#options.trustedMs();
    if (nowMs === undefined) this.#rest();
    else this.#go(0, FIRST_PLACE, nowMs);
  }

  #rest(): void {
    this.#later(PURGE_INTERVAL_MS * (0.9 + 0.2 * this.#options.random()), () => this.#look());
  }

  /** Goes on with a kind, from a place. */
  #go(index: number, place: EndedPlace, nowMs: number): void {
    const { kinds, clock } = this.#options;
    const kind = kinds[index];
    if (!kind) return this.#rest();
    const startMs = clock.monotonicMs();
    const reached = this.#slice(kind, place, nowMs - kind.keptMs);
    if (reached === 'locked') {
      this.#later(this.#retryMs, () => this.#go(index, place, nowMs));
      this.#retryMs = Math.min(RETRY_MS.max, this.#retryMs * 2);
      return;
    }
    this.#retryMs = RETRY_MS.first;
    const tookMs = clock.monotonicMs() - startMs;
    if (tookMs > SLICE_MS_MAX / 2) this.#steps = Math.max(1, this.#steps >> 1);
    else if (tookMs < SLICE_MS / 2) this.#steps = Math.min(STEPS_MAX, this.#steps * 2);
    const pauseMs = Math.max(PAUSE_MS_MIN, tookMs * (PAUSE_SHARE - 1));
    if (reached === undefined) this.#later(pauseMs, () => this.#go(index + 1, FIRST_PLACE, nowMs));
    else this.#later(pauseMs, () => this.#go(index, reached, nowMs));
  }

  /** Some steps; gives the place that they got to, and `undefined` when there are no more. */
  #slice(kind: EndedKind, from: EndedPlace, endedByMs: number): EndedPlace | 'locked' | undefined {
    const { whenFree, clock, onFault } = this.#options;
    const startMs = clock.monotonicMs();
    try {
      const done = whenFree(() => {
        let place: EndedPlace | undefined = from;
        for (let step = 0; step < this.#steps && place; step++) {
          place = kind.step(place, endedByMs);
          if (clock.monotonicMs() - startMs >= SLICE_MS) break;
        }
        return { place };
      });
      return done ? done.place : 'locked';
    } catch (error) {
      if (isStorageError(error)) return 'locked';
      // A kind that cannot be forgotten keeps no other from it.
      onFault(error);
      return undefined;
    }
  }

  #later(delayMs: number, task: () => void): void {
    this.#cancelTimer = this.#options.clock.schedule(delayMs, task);
  }
}

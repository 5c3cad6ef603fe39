import { LIMITS } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import { Fifo } from '../flow/fifo.ts';
import type { Entry } from './entry.ts';

/**
 * The requests of one session by their ids: those that wait or run, and for ten minutes those that ended, so that a
 * caller that lost its connection can ask again. Cancels that overtook their request are remembered for a moment.
 */
export class Outcomes {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  /** The same entries, oldest first. */
  readonly #ages = new Fifo<Entry>();
  /** When each early cancel is forgotten, on the monotonic clock. */
  readonly #earlyCancels = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(requestId: string): Entry | undefined {
    const entry = this.#entries.get(requestId);
    return entry && this.#isOld(entry) ? undefined : entry;
  }

  add(entry: Entry): void {
    this.#forgetOld();
    this.#entries.set(entry.requestId, entry);
    this.#ages.push(entry);
  }

  rememberCancel(requestId: string): void {
    if (this.#earlyCancels.size >= LIMITS.earlyCancels) {
      const [oldest] = this.#earlyCancels.keys();
      if (oldest !== undefined) this.#earlyCancels.delete(oldest);
    }
    this.#earlyCancels.set(requestId, this.#clock.monotonicMs() + LIMITS.earlyCancelKeptMs);
  }

  /** Whether a cancel for this id came before; it counts once. */
  takeCancel(requestId: string): boolean {
    if (this.#earlyCancels.size === 0) return false;
    const untilMs = this.#earlyCancels.get(requestId);
    this.#earlyCancels.delete(requestId);
    return untilMs !== undefined && untilMs > this.#clock.monotonicMs();
  }

  /** Oldest first. A request that still waits or runs is never forgotten: it moves to the end of the line. */
  #forgetOld(): void {
    for (let oldest = this.#ages.peek(); oldest; oldest = this.#ages.peek()) {
      if (this.#ages.size < LIMITS.outcomesKept && !this.#isOld(oldest)) return;
      this.#ages.shift();
      if (oldest.state !== 'ended') this.#ages.push(oldest);
      // The id of an old entry may be in use again.
      else if (this.#entries.get(oldest.requestId) === oldest) this.#entries.delete(oldest.requestId);
    }
  }

  #isOld(entry: Entry): boolean {
    return entry.state === 'ended' && endedMs(entry) < this.#clock.monotonicMs() - LIMITS.outcomeKeptMs;
  }
}

const endedMs = (entry: Entry): number => entry.accepted.monotonicMs + entry.durationMs;

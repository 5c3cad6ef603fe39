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
    return this.#entries.get(requestId);
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

  /** Requests that still wait or run are never forgotten, and neither is what came after them. */
  #forgetOld(): void {
    const endedBeforeMs = this.#clock.monotonicMs() - LIMITS.outcomeKeptMs;
    for (let oldest = this.#ages.peek(); oldest?.state === 'ended'; oldest = this.#ages.peek()) {
      if (this.#ages.size < LIMITS.outcomesKept && endedMs(oldest) >= endedBeforeMs) return;
      this.#ages.shift();
      this.#entries.delete(oldest.requestId);
    }
  }
}

const endedMs = (entry: Entry): number => entry.accepted.monotonicMs + (entry.acknowledgement?.durationMs ?? 0);

import type { PhoneClock } from '../clock.ts';

/** An input that reached the phone, or another event on it. */
export interface PhoneEvent {
  /** Time of the phone's clock. */
  readonly atMs: number;
  readonly type: string;
  readonly detail?: unknown;
}

const EVENTS_MAX = 200;

type Clock = Pick<PhoneClock, 'nowMs' | 'wallMs'>;

/** The newest events of the phone. */
export class EventLog {
  readonly #clock: Clock;
  #events: PhoneEvent[] = [];
  readonly #followers: ((event: PhoneEvent) => void)[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param atMs when it was; now, unless the caller has read the clock already, which costs as much as a tenth of a tap */
  add(type: string, detail?: unknown, atMs = this.#clock.nowMs()): void {
    const event = detail === undefined ? { atMs, type } : { atMs, type, detail };
    this.#events.push(event);
    for (const take of this.#followers) take(event);
    // Cut rarely and by much, so that the average cost of an entry does not depend on the length of the log.
    if (this.#events.length >= EVENTS_MAX * 2) this.#events = this.#events.slice(-EVENTS_MAX);
  }

  /** Calls `take` for the events that it has and for each one to come. */
  follow(take: (event: PhoneEvent) => void): void {
    for (const event of this.list()) take(event);
    this.#followers.push(take);
  }

  /** Newest last, at most 200. */
  list(): readonly PhoneEvent[] {
    return this.#events.slice(-EVENTS_MAX);
  }

  /** When it was, in milliseconds since 1970. It reads two clocks, and each tap makes two events. */
  wallMs({ atMs }: PhoneEvent): number {
    return Math.round(this.#clock.wallMs() - this.#clock.nowMs() + atMs);
  }
}

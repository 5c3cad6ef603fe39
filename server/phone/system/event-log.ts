/** An input that reached the phone, or another event on it. */
export interface PhoneEvent {
  /** Time of the phone's clock. */
  readonly atMs: number;
  readonly type: string;
  readonly detail?: unknown;
}

const EVENTS_MAX = 200;

/** The newest events of the phone. */
export class EventLog {
  readonly #nowMs: () => number;
  #events: PhoneEvent[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(type: string, detail?: unknown): void {
    const atMs = this.#nowMs();
    this.#events.push(detail === undefined ? { atMs, type } : { atMs, type, detail });
    // Cut rarely and by much, so that the average cost of an entry does not depend on the length of the log.
    if (this.#events.length >= EVENTS_MAX * 2) this.#events = this.#events.slice(-EVENTS_MAX);
  }

  /** Newest last, at most 200. */
  list(): readonly PhoneEvent[] {
    return this.#events.slice(-EVENTS_MAX);
  }
}

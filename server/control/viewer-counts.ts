import type { Clock } from '../flow/clock.ts';
import type { LiveSession } from '../session/live-session.ts';

/** Sockets that come and go together are told of once. */
const TOLD_AFTER_MS = 100;

/** Tells the sockets of a session how many of each role there are, soon after that has changed. */
export class ViewerCounts {
  readonly #clock: Clock;
  readonly #due = new Set<LiveSession>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A socket came, and does not know the numbers yet, or one went. */
  changed(session: LiveSession): void {
    if (this.#due.has(session)) return;
    this.#due.add(session);
    this.#clock.schedule(TOLD_AFTER_MS, () => {
      this.#due.delete(session);
      session.tell({ type: 'event', event: 'viewers', viewers: session.viewers });
    });
  }
}

import type { Clock } from '../flow/clock.ts';
import type { LiveSession } from '../session/live-session.ts';

/** Delay that merges sockets that open or close together into one event. */
const TOLD_AFTER_MS = 100;
/** The same for each socket that is told: of many that come one by one, each would otherwise hear of all the others. */
const TOLD_AFTER_MS_OF_SOCKET = 1;

/** Sends the sockets of a session the number of sockets of each role, soon after it has changed. */
export class ViewerCounts {
  readonly #clock: Clock;
  readonly #due = new Set<LiveSession>();
  readonly #telling = new Set<LiveSession>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called when a socket has opened or closed. */
  changed(session: LiveSession): void {
    if (this.#due.has(session)) return;
    this.#due.add(session);
    this.#tellLater(session);
  }

  #tellLater(session: LiveSession): void {
    const { control, view } = session.viewers;
    const delayMs = Math.max(TOLD_AFTER_MS, (control + view) * TOLD_AFTER_MS_OF_SOCKET);
    this.#clock.schedule(delayMs, () => {
      // No socket is told the newer number before the older one.
      if (this.#telling.has(session)) this.#tellLater(session);
      else void this.#tell(session);
    });
  }

  async #tell(session: LiveSession): Promise<void> {
    this.#due.delete(session);
    this.#telling.add(session);
    try {
      await session.tellInTurns({ type: 'event', event: 'viewers', viewers: session.viewers });
    } finally {
      this.#telling.delete(session);
    }
  }
}

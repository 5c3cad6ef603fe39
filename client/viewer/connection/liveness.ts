/** How the service answers while there is a connection. `lost`: it gives no sign of life, though the socket is open. */
export type Liveness = 'live' | 'slow' | 'lost';

/** The time between two calls of `tick`. */
export const TICK_MS = 200;

/** A ping is sent this often, so that silence says something. */
const PING_EVERY_MS = 1_000;
/** Without a sign of life for this long the connection counts as lost; with a tick on top it is less than two seconds. */
const LOST_AFTER_MS = 1_700;
/** A round trip that a person feels in every touch. */
const SLOW_FROM_MS = 500;

/**
 * Follows whether the service answers. A socket whose other end has stopped stays open for minutes, and takes what is sent
 * to it: only the lack of an answer tells.
 */
export class LivenessWatch {
  readonly #ping: (id: number) => void;
  readonly #changed: (liveness: Liveness) => void;
  readonly #roundTrip: (ms: number) => void;
  #liveness: Liveness = 'live';
  #isConnected = false;
  #heardAtMs = 0;
  #tickedAtMs = 0;
  #pings = 0;
  #pingedAtMs = 0;
  /** The last ping has its answer. */
  #isAnswered = true;
  #roundTripMs = 0;

  /**
   * @param parts `ping` sends a ping; `changed` takes a new state; `roundTrip` takes the time of each answered ping, in
   *   milliseconds
   */
  constructor(parts: {
    readonly ping: (id: number) => void;
    readonly changed: (liveness: Liveness) => void;
    readonly roundTrip: (ms: number) => void;
  }) {
    this.#ping = parts.ping;
    this.#changed = parts.changed;
    this.#roundTrip = parts.roundTrip;
  }

  get liveness(): Liveness {
    return this.#liveness;
  }

  connected(nowMs: number): void {
    this.#isConnected = true;
    this.#heardAtMs = nowMs;
    this.#tickedAtMs = nowMs;
    this.#isAnswered = true;
    this.#roundTripMs = 0;
    this.#enter('live');
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#enter('live');
  }

  /** Anything came from the service. */
  heard(nowMs: number): void {
    this.#heardAtMs = nowMs;
    if (this.#liveness === 'lost') this.#judge(nowMs);
  }

  ponged(id: number, nowMs: number): void {
    if (id !== this.#pings || this.#isAnswered) return;
    this.#isAnswered = true;
    this.#roundTripMs = nowMs - this.#pingedAtMs;
    this.#roundTrip(this.#roundTripMs);
    this.#judge(nowMs);
  }

  /** Call it every `TICK_MS`. A late call means that this page stood still: that is no silence of the service. */
  tick(nowMs: number): void {
    if (!this.#isConnected) return;
    const lateMs = Math.max(0, nowMs - this.#tickedAtMs - 2 * TICK_MS);
    this.#tickedAtMs = nowMs;
    this.#heardAtMs = Math.min(nowMs, this.#heardAtMs + lateMs);
    this.#pingedAtMs = Math.min(nowMs, this.#pingedAtMs + lateMs);
    if (this.#isAnswered && nowMs - this.#pingedAtMs >= PING_EVERY_MS) {
      this.#pings += 1;
      this.#pingedAtMs = nowMs;
      this.#isAnswered = false;
      this.#ping(this.#pings);
    }
    this.#judge(nowMs);
  }

  #judge(nowMs: number): void {
    const waitedMs = this.#isAnswered ? this.#roundTripMs : Math.max(this.#roundTripMs, nowMs - this.#pingedAtMs);
    if (nowMs - this.#heardAtMs >= LOST_AFTER_MS) this.#enter('lost');
    else this.#enter(waitedMs >= SLOW_FROM_MS ? 'slow' : 'live');
  }

  #enter(liveness: Liveness): void {
    if (liveness === this.#liveness) return;
    this.#liveness = liveness;
    this.#changed(liveness);
  }
}

import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { TokenBucket } from '../flow/token-bucket.ts';

/** Holders that are remembered; the one that was away longest is forgotten. */
const REMEMBERED_MAX = 10_000;
/** A flood that begins again within this time of the last wait's end makes the next wait twice as long. */
const REPEATED_MS = 60_000;

/**
 * One key, grant or link, over all of its sockets. The socket library reads whatever a client sends, so refusing messages
 * does not slow a client down that goes on sending them: such a holder loses the sockets it sends on, and opens no new one
 * for a while.
 */
export class SocketHolder {
  readonly #clock: Clock;
  readonly #refusals: TokenBucket;
  readonly #openings: TokenBucket;
  #waitMs = 0;
  #waitEndsMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    const { overloadsPerMinute, socketsOpenedPerSecond, socketsPerSession } = LIMITS;
    this.#clock = clock;
    this.#refusals = new TokenBucket(overloadsPerMinute / 60, clock, overloadsPerMinute);
    this.#openings = new TokenBucket(socketsOpenedPerSecond, clock, socketsPerSession + socketsOpenedPerSecond);
  }

  /** Counts a socket that is to be opened. Throws `rate_limited` while the holder has to wait. */
  open(): void {
    const leftMs = this.#waitEndsMs - this.#clock.monotonicMs();
    if (leftMs > 0) {
      throw new ServiceError('rate_limited', 'This credential has sent too many messages that were refused.', {
        retryAfterSeconds: Math.ceil(leftMs / 1_000),
      });
    }
    if (this.#openings.take()) return;
    throw new ServiceError('rate_limited', 'This credential opens too many sockets.', {
      retryAfterSeconds: this.#openings.retryAfterSeconds,
    });
  }

  /** Counts a message that was refused because there were too many, a long one as several; `true` when its socket is to be closed. */
  floods(bytes: number): boolean {
    if (this.#refusals.take(Math.max(1, bytes / LIMITS.lightBytes))) return false;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#waitEndsMs) return true;
    const { min, max } = LIMITS.floodWaitMs;
    this.#waitMs = nowMs - this.#waitEndsMs < REPEATED_MS ? Math.min(max, this.#waitMs * 2) : min;
    this.#waitEndsMs = nowMs + this.#waitMs;
    return true;
  }
}

/** All holders of sockets, by their names. */
export class SocketHolders {
  readonly #clock: Clock;
  readonly #holders = new Map<string, SocketHolder>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(name: string): SocketHolder {
    const holder = this.#holders.get(name) ?? new SocketHolder(this.#clock);
    // The order of the map is that of the last use.
    this.#holders.delete(name);
    this.#holders.set(name, holder);
    const [oldest] = this.#holders.keys();
    if (oldest !== undefined && this.#holders.size > REMEMBERED_MAX) this.#holders.delete(oldest);
    return holder;
  }
}

import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import { TokenBucket } from '../flow/token-bucket.ts';

export type HolderKind = 'key' | 'link';

/** As many sockets as the holder may have may be opened at once, after a cut of all of them. */
const OPENINGS: Readonly<Record<HolderKind, { readonly perSecond: number; readonly atOnce: number }>> = {
  key: { perSecond: LIMITS.socketsOpenedPerSecond, atOnce: LIMITS.socketsPerSession },
  link: { perSecond: LIMITS.linkSocketsOpenedPerSecond, atOnce: LIMITS.socketsPerLink },
};

/** Maximum number of holders to remember; the least recently used one is forgotten. */
const REMEMBERED_MAX = 10_000;
/** A flood that starts again within this time after the last wait doubles the next wait. */
const REPEATED_MS = 60_000;

/**
 * One key, grant or link, with all of its sockets. The socket library reads everything that a client sends, so a refusal does
 * not slow down a client that ignores it. Such a holder loses the sockets it sends on and cannot open new ones for a while.
 */
export class SocketHolder {
  readonly #clock: Clock;
  readonly #refusals: TokenBucket;
  readonly #openings: TokenBucket;
  #waitMs = 0;
  #waitEndsMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, kind: HolderKind) {
    const { overloadsPerMinute } = LIMITS;
    const { perSecond, atOnce } = OPENINGS[kind];
    this.#clock = clock;
    this.#refusals = new TokenBucket(overloadsPerMinute / 60, clock, overloadsPerMinute);
    this.#openings = new TokenBucket(perSecond, clock, atOnce + perSecond);
  }

  /** Counts an attempt to open a socket. Throws `rate_limited` while the holder must wait. */
  open(): void {
    const leftMs = this.#waitEndsMs - this.#clock.monotonicMs();
    if (leftMs > 0) {
      throw new ServiceError('rate_limited', 'This credential has sent too many refused messages.', {
        retryAfterSeconds: Math.ceil(leftMs / 1_000),
      });
    }
    if (this.#openings.take()) return;
    throw new ServiceError('rate_limited', 'This credential opens too many sockets.', {
      retryAfterSeconds: this.#openings.retryAfterSeconds,
    });
  }

  /**
   * Counts what was refused for its rate; `true`: close its socket.
   *
   * @param weight how many refused messages it counts as, at least one
   */
  floods(weight = 1): boolean {
    if (this.#refusals.take(Math.max(1, weight))) return false;
    const nowMs = this.#clock.monotonicMs();
    if (nowMs < this.#waitEndsMs) return true;
    const { min, max } = LIMITS.floodWaitMs;
    this.#waitMs = nowMs - this.#waitEndsMs < REPEATED_MS ? Math.min(max, this.#waitMs * 2) : min;
    this.#waitEndsMs = nowMs + this.#waitMs;
    return true;
  }
}

/** All holders of sockets by name. */
export class SocketHolders {
  readonly #clock: Clock;
  readonly #holders = new ShortLivedMap<string, SocketHolder>(hashOfId);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(name: string, kind: HolderKind): SocketHolder {
    const holder = this.#holders.take(name) ?? new SocketHolder(this.#clock, kind);
    // The map is ordered by last use.
    this.#holders.set(name, holder);
    const [oldest] = this.#holders.keys();
    if (oldest !== undefined && this.#holders.size > REMEMBERED_MAX) this.#holders.take(oldest);
    return holder;
  }
}

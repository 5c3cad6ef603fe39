import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import { TokenBucket } from '../flow/token-bucket.ts';

/** Maximum number of holders, and of accounts, to remember; the least recently used one is forgotten and gets a full bucket. */
const REMEMBERED_MAX = 10_000;

/** The caller that a rate limit applies to. */
export interface Holder {
  /** Unique name of the key, grant, viewer link or network address. */
  readonly holder: string;
  /** Its account; absent for unauthenticated callers. */
  readonly account?: string | undefined;
  /** Viewers have a separate total, so that they do not use up the account's. */
  readonly guest?: boolean;
}

/**
 * The rate limit of one holder. A short call or message costs one token. Bytes and processing time also cost tokens, in
 * proportion to the limits of bytes and milliseconds per second.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #own: TokenBucket;
  readonly #total: TokenBucket | undefined;

  constructor(perSecond: number, own: TokenBucket, total: TokenBucket | undefined) {
    this.#perSecond = perSecond;
    this.#own = own;
    this.#total = total;
  }

  /** Takes tokens from the holder and its account; `false` without taking any if one of them has too few. */
  take(cost = 1): boolean {
    if (!this.holds(cost)) return false;
    this.charge(cost);
    return true;
  }

  /** Whether `take` would succeed now, for costs that are charged only after a success. */
  holds(cost = 1): boolean {
    if (this.#total && !this.#total.holds(cost)) return false;
    return this.#own.holds(cost);
  }

  /** Charges tokens unconditionally; the balance may become negative. */
  charge(cost = 1): void {
    this.#own.charge(cost);
    this.#total?.charge(cost);
  }

  /** Takes the cost of a message or body of this size. */
  takeBytes(bytes: number): boolean {
    return this.take(Math.max(1, (bytes * this.#perSecond) / LIMITS.bytesPerSecond));
  }

  /**
   * Charges processing time in milliseconds of the gateway's thread, after the fact; the balance may become negative.
   * @param paidTokens taken for this work already
   */
  chargeWork(workMs: number, paidTokens = 0): void {
    this.charge(Math.max(0, (workMs * this.#perSecond) / LIMITS.workMsPerSecond - paidTokens));
  }

  /** Whole seconds, at least 1, until the last refused request would be allowed: the value of `Retry-After`. */
  get retryAfterSeconds(): number {
    return Math.max(this.#own.retryAfterSeconds, this.#total?.retryAfterSeconds ?? 1);
  }
}

/**
 * Rate limiters per holder, and per account for all of its holders together: several keys have more than one, but the account's
 * total is bounded. All rates are counted here.
 */
export class RateLimiters {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #holders = new ShortLivedMap<string, TokenBucket>(hashOfId);
  readonly #accounts = new ShortLivedMap<string, TokenBucket>(hashOfId);

  /**
   * @param perSecond tokens per second of each holder
   * @param burst maximum number of saved tokens; default: twice `perSecond`
   */
  constructor(perSecond: number, clock: Clock, burst = perSecond * 2) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** The limiter of a holder. Calls look it up each time; sockets keep theirs. */
  of({ holder, account, guest = false }: Holder): RateLimiter {
    const own = this.#bucket(this.#holders, holder, this.#perSecond);
    const total =
      account === undefined
        ? undefined
        : this.#bucket(
            this.#accounts,
            guest ? `guests of ${account}` : account,
            this.#perSecond * LIMITS.allowancesPerAccount,
          );
    return new RateLimiter(this.#perSecond, own, total);
  }

  #bucket(buckets: ShortLivedMap<string, TokenBucket>, name: string, perSecond: number): TokenBucket {
    const bucket =
      buckets.take(name) ?? new TokenBucket(perSecond, this.#clock, (perSecond / this.#perSecond) * this.#burst);
    // The map is ordered by last use.
    buckets.set(name, bucket);
    const [oldest] = buckets.keys();
    if (oldest !== undefined && buckets.size > REMEMBERED_MAX) buckets.take(oldest);
    return bucket;
  }
}

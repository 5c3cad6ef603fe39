import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { TokenBucket } from '../flow/token-bucket.ts';

/** Holders that are remembered, and as many accounts; whoever was away longest is forgotten, and starts with a full bucket again. */
const REMEMBERED_MAX = 10_000;

/** Who asks for something. */
export interface Holder {
  /** A key, a grant, a viewer link or an address, by a name that no other has. */
  readonly holder: string;
  /** The account that it belongs to; callers without a credential have none. */
  readonly account?: string | undefined;
  /** Guests who may only look have a total of their own: together they take nothing from the account itself. */
  readonly guest?: boolean;
}

/**
 * What one holder may still do. The unit is a token, a light call or message. Many bytes and long work cost more: the
 * share of a second's tokens that they are of a second's bytes or of a second's work.
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

  /** Takes tokens of the holder and of its account; `false`, and nothing is taken, when one of them has too few. */
  take(cost = 1): boolean {
    if (!this.holds(cost)) return false;
    this.charge(cost);
    return true;
  }

  /** Whether `take` would take them now: for what is charged when it has succeeded. */
  holds(cost = 1): boolean {
    if (this.#total && !this.#total.holds(cost)) return false;
    return this.#own.holds(cost);
  }

  /** Charges what was done; it may leave a debt. */
  charge(cost = 1): void {
    this.#own.charge(cost);
    this.#total?.charge(cost);
  }

  /** Takes what a message or a body of this size costs. */
  takeBytes(bytes: number): boolean {
    return this.take(Math.max(1, (bytes * this.#perSecond) / LIMITS.bytesPerSecond));
  }

  /** Charges work that was done, in milliseconds of the gateway's thread: known only afterwards, it may leave a debt. */
  chargeWork(workMs: number): void {
    this.charge((workMs * this.#perSecond) / LIMITS.workMsPerSecond);
  }

  /** Whole seconds, at least 1, after which what was refused last will be let through: the value of `Retry-After`. */
  get retryAfterSeconds(): number {
    return Math.max(this.#own.retryAfterSeconds, this.#total?.retryAfterSeconds ?? 1);
  }
}

/**
 * What each holder may do in a second, and each account with all of its holders together: several keys of one account
 * have more than one key, and a hundred have no more than several. The one place where rates are counted.
 */
export class RateLimiters {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #clock: Clock;
  readonly #holders = new Map<string, TokenBucket>();
  readonly #accounts = new Map<string, TokenBucket>();

  /**
   * @param perSecond tokens of each holder
   * @param burst tokens of a holder that waited; twice as many where absent
   */
  constructor(perSecond: number, clock: Clock, burst = perSecond * 2) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#clock = clock;
  }

  /** To be asked for anew by each call; what stays open keeps its own. */
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

  #bucket(buckets: Map<string, TokenBucket>, name: string, perSecond: number): TokenBucket {
    const bucket =
      buckets.get(name) ?? new TokenBucket(perSecond, this.#clock, (perSecond / this.#perSecond) * this.#burst);
    // The order of the map is that of the last use.
    buckets.delete(name);
    buckets.set(name, bucket);
    const [oldest] = buckets.keys();
    if (oldest !== undefined && buckets.size > REMEMBERED_MAX) buckets.delete(oldest);
    return bucket;
  }
}

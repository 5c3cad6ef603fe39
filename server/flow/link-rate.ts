import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from './clock.ts';
import { TokenBucket } from './token-bucket.ts';

/** Links to remember; the least recently used one is forgotten and gets a full bucket. More than a session may have at once. */
const REMEMBERED_MAX = 200;

/** How many of something each link of a session, and all of them together, may begin in a second. */
export class LinkRate {
  readonly #perSecond: number;
  readonly #things: string;
  readonly #clock: Clock;
  readonly #links = new Map<string, TokenBucket>();
  readonly #total: TokenBucket;

  /** @param things plural, as errors name them */
  constructor(perSecond: number, things: string, clock: Clock) {
    this.#perSecond = perSecond;
    this.#things = things;
    this.#clock = clock;
    this.#total = new TokenBucket(perSecond * LIMITS.allowancesPerAccount, clock);
  }

  /** Throws `rate_limited` with the time to wait. */
  take(name: string): void {
    const own = this.#bucketOf(name);
    if (!own.holds(1)) {
      const message = `This link asks for more than ${this.#perSecond} ${this.#things} a second. Ask more slowly, or use another link.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: own.retryAfterSeconds });
    }
    if (!this.#total.take()) {
      const message = `The links of the session ask for too many ${this.#things} a second. Ask more slowly, or use a key.`;
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: this.#total.retryAfterSeconds });
    }
    own.charge(1);
  }

  #bucketOf(name: string): TokenBucket {
    const bucket = this.#links.get(name) ?? new TokenBucket(this.#perSecond, this.#clock);
    // The map is ordered by last use.
    this.#links.delete(name);
    this.#links.set(name, bucket);
    const [oldest] = this.#links.keys();
    if (oldest !== undefined && this.#links.size > REMEMBERED_MAX) this.#links.delete(oldest);
    return bucket;
  }
}

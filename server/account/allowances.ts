import type { Clock } from '../flow/clock.ts';
import { TokenBucket } from '../flow/token-bucket.ts';

/** Holders that are remembered; the one that was new longest ago goes first and simply starts with a full bucket again. */
const HOLDERS_MAX = 10_000;

/** What each holder of a credential may do in a second. */
export class Allowances {
  readonly #perSecond: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(perSecond: number, clock: Clock) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  of(holder: string): TokenBucket {
    const known = this.#buckets.get(holder);
    if (known) return known;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined && this.#buckets.size >= HOLDERS_MAX) this.#buckets.delete(oldest);
    const bucket = new TokenBucket(this.#perSecond, this.#clock);
    this.#buckets.set(holder, bucket);
    return bucket;
  }
}

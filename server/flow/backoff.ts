export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** For what needs a disk, a thread or a store that may be away: long enough to free space or to restart something. */
export const SLOW_BACKOFF: Backoff = { firstMs: 2_000, factor: 4, maxMs: 120_000 };

/**
 * The delay after failure number `failures`, from 1: capped exponential back-off with up to half of it subtracted at random
 * (jitter), so that concurrent failures are not retried together.
 * @param random returns numbers from 0 up to 1
 */
export function backoffMs({ firstMs, factor, maxMs }: Backoff, failures: number, random: () => number): number {
  const fullMs = Math.min(maxMs, firstMs * factor ** (failures - 1));
  return Math.round(fullMs * (0.5 + 0.5 * random()));
}

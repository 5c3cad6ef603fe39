export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/**
 * How long to wait after failure number `failures`, from 1: capped exponential growth, of which a random half is taken
 * off so that what failed together does not come again together.
 * @param random gives numbers from 0 up to 1
 */
export function backoffMs({ firstMs, factor, maxMs }: Backoff, failures: number, random: () => number): number {
  const fullMs = Math.min(maxMs, firstMs * factor ** (failures - 1));
  return Math.round(fullMs * (0.5 + 0.5 * random()));
}

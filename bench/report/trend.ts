import { median } from './percentiles.ts';

/** What a series of samples, taken at equal intervals, does over time. */
export interface Trend {
  /** What a sample is more than the one before: the median of the slopes of all pairs (Theil and Sen). */
  readonly perStep: number;
  /** Growth over the whole series that comes of this, as a share of the median; of the units where that is 0. */
  readonly growth: number;
  /**
   * How far pairs that rise outnumber those that fall, in standard deviations of what chance alone gives (Mann and
   * Kendall). Neither looks at how far a sample lies out, so a machine that stalls for a while makes no trend.
   */
  readonly deviations: number;
  /** Whether it rises for certain, and by more than does not matter. */
  readonly rising: boolean;
}

/** Chance gives this once in a thousand series. */
const CERTAIN_DEVIATIONS = 3.1;

/**
 * @param samples fewer than eight cannot show a trend for certain
 * @param tolerance growth over the series, as a share, that does not matter
 */
export function trendOf(samples: readonly number[], tolerance: number): Trend {
  const slopes: number[] = [];
  let rises = 0;
  for (const [at, sample] of samples.entries()) {
    for (let before = 0; before < at; before++) {
      const difference = sample - (samples[before] ?? Number.NaN);
      slopes.push(difference / (at - before));
      rises += Math.sign(difference);
    }
  }
  const perStep = slopes.length === 0 ? 0 : median(slopes);
  const level = Math.abs(median(samples)) || 1;
  const growth = (perStep * (samples.length - 1)) / level;
  // One pair is taken off, because the count moves in steps (continuity correction).
  const deviations = rises === 0 ? 0 : (rises - Math.sign(rises)) / Math.sqrt(variance(samples));
  return { perStep, growth, deviations, rising: deviations > CERTAIN_DEVIATIONS && growth > tolerance };
}

/** Of the count of rises less falls in a series without a trend; equal samples count neither way. */
function variance(samples: readonly number[]): number {
  const of = (n: number) => (n * (n - 1) * (2 * n + 5)) / 18;
  const equals = new Map<number, number>();
  for (const sample of samples) equals.set(sample, (equals.get(sample) ?? 0) + 1);
  return [...equals.values()].reduce((left, ties) => left - of(ties), of(samples.length));
}

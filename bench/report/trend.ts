import { median } from './percentiles.ts';

/** The trend of a series of samples that were taken at equal intervals. */
export interface Trend {
  /** Growth from sample to sample: the median of the slopes of all pairs (Theil and Sen). */
  readonly perStep: number;
  /** The resulting growth over the whole series, as a share of the median, or absolute if the median is 0. */
  readonly growth: number;
  /**
   * The excess of rising over falling pairs, in standard deviations of its distribution without a trend (Mann and Kendall).
   * Neither statistic is sensitive to outliers, so a machine that stalls for a while makes no trend.
   */
  readonly deviations: number;
  /** Whether it rises significantly and by more than the tolerance. */
  readonly rising: boolean;
}

/** Random samples exceed this in one of a thousand series. */
const CERTAIN_DEVIATIONS = 3.1;

/**
 * @param samples at least eight are needed for a significant trend
 * @param tolerance growth over the series that is accepted, as a share
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
  // Subtracts one pair, because the count is discrete (continuity correction).
  const deviations = rises === 0 ? 0 : (rises - Math.sign(rises)) / Math.sqrt(variance(samples));
  return { perStep, growth, deviations, rising: deviations > CERTAIN_DEVIATIONS && growth > tolerance };
}

/** Variance of the number of rises minus falls in a series without a trend; ties count as neither. */
function variance(samples: readonly number[]): number {
  const of = (n: number) => (n * (n - 1) * (2 * n + 5)) / 18;
  const equals = new Map<number, number>();
  for (const sample of samples) equals.set(sample, (equals.get(sample) ?? 0) + 1);
  return [...equals.values()].reduce((left, ties) => left - of(ties), of(samples.length));
}

import { percentile } from '../../report/percentiles.ts';
import type { StillsFigures } from '../../stills/job.ts';

/** One row, over the stills of all rounds. */
export interface ScreenshotFigures {
  readonly name: string;
  readonly stills: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly bytes: number;
}

/** Pools the stills of all rounds, since one round alone has too few for the highest percentiles. */
export function screenshotFigures(name: string, rounds: readonly StillsFigures[]): ScreenshotFigures {
  const tookMs = Float64Array.from(rounds.flatMap((round) => round.tookMs)).sort();
  return {
    name,
    stills: tookMs.length,
    p50Ms: percentile(tookMs, 0.5),
    p95Ms: percentile(tookMs, 0.95),
    p99Ms: percentile(tookMs, 0.99),
    bytes: rounds.at(-1)?.bytes ?? Number.NaN,
  };
}

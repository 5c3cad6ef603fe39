import type { MemoryUse } from '../../processes/memory-use.ts';
import { type Trend, trendOf } from '../../report/trend.ts';
import type { MixedRound } from '../mixed/service-bed.ts';

/** One line of the table: an interval with everything at once, and the service at rest after it. */
export interface SoakSample {
  /** Minutes from the start of the run to the end of the interval. */
  readonly minute: number;
  readonly rssMegabytes: number;
  readonly mainHeapMegabytes: number;
  readonly threadHeapMegabytes: number;
  readonly handles: number;
  readonly files: number;
  readonly children: number;
  readonly threads: number;
  readonly tapP50Us: number;
  readonly tapP99Us: number;
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly perViewer: number;
  readonly readyMs: number;
}

export type SoakFigure = Exclude<keyof SoakSample, 'minute'>;

export function soakSample(minute: number, { taps, seen, readyMs }: MixedRound, use: MemoryUse): SoakSample {
  return {
    minute,
    rssMegabytes: use.rssBytes / 1e6,
    mainHeapMegabytes: use.mainHeapBytes / 1e6,
    threadHeapMegabytes: use.threadHeapBytes / 1e6,
    handles: use.handles,
    files: use.files,
    children: use.children,
    threads: use.threads,
    tapP50Us: taps.p50Us,
    tapP99Us: taps.p99Us,
    delayP50Ms: seen.delay.p50Us / 1_000,
    delayP99Ms: seen.delay.p99Us / 1_000,
    perViewer: seen.packets / seen.viewers / seen.seconds,
    readyMs: Math.max(...readyMs),
  };
}

/** Accepted growth over the run, as a share. Counts must not grow at all. */
export const TOLERANCE = {
  rssMegabytes: 0.05,
  mainHeapMegabytes: 0.05,
  threadHeapMegabytes: 0.05,
  handles: 0,
  files: 0,
  children: 0,
  threads: 0,
  tapP50Us: 0.2,
  tapP99Us: 0.3,
  delayP50Ms: 0.2,
  delayP99Ms: 0.3,
  readyMs: 0.3,
} as const satisfies Partial<Record<SoakFigure, number>>;

export type WatchedFigure = keyof typeof TOLERANCE;
export const WATCHED = Object.keys(TOLERANCE) as readonly WatchedFigure[];

/**
 * Share of the samples that are excluded at the start: outcomes are kept for ten minutes, so memory grows that long. A run of
 * half an hour thus judges its last twenty minutes.
 */
export const SETTLING_SHARE = 1 / 3;

export interface FigureTrend extends Trend {
  readonly figure: WatchedFigure;
}

export function soakTrends(samples: readonly SoakSample[]): FigureTrend[] {
  const judged = samples.slice(Math.floor(samples.length * SETTLING_SHARE));
  return WATCHED.map((figure) => ({
    figure,
    ...trendOf(
      judged.map((sample) => sample[figure]),
      TOLERANCE[figure],
    ),
  }));
}

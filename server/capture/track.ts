import type { ParameterSets } from '../h264/avc.ts';

/** Ticks a second of a recording's video track: the rate that MPEG uses, and 13 hours fit into one duration. */
export const TIMESCALE = 90_000;
const TICKS_PER_US = TIMESCALE / 1_000_000;
const TICKS_PER_MS = TIMESCALE / 1_000;

/** Properties of a whole recording. */
export interface Track {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly parameterSets: ParameterSets;
}

/** One picture of a recording. */
export interface Sample {
  /** Since the first picture, in microseconds; rises by more than a tick from sample to sample. */
  readonly atUs: number;
  readonly key: boolean;
  readonly data: Buffer;
}

export const toTicks = (us: number): number => Math.round(us * TICKS_PER_US);

export const ticksToMs = (ticks: number): number => Math.round(ticks / TICKS_PER_MS);

export const ticksToUs = (ticks: number): number => Math.round(ticks / TICKS_PER_US);

import type { ParameterSets } from '../h264/avc.ts';

/** Ticks per second of a recording's video track: MPEG's rate. A 32-bit duration then has room for 13 hours. */
export const TIMESCALE = 90_000;
const TICKS_PER_US = TIMESCALE / 1_000_000;
const TICKS_PER_MS = TIMESCALE / 1_000;

/** Properties of a whole recording. */
export interface Track {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Of the encoder that its first picture is from, then of others that have pictures of it. */
  readonly parameterSets: readonly ParameterSets[];
}

/** One picture of a recording. */
export interface Sample {
  /** Time since the first picture, in microseconds; samples are more than a tick apart. */
  readonly atUs: number;
  readonly key: boolean;
  readonly data: Buffer;
}

export const toTicks = (us: number): number => Math.round(us * TICKS_PER_US);

export const ticksToMs = (ticks: number): number => Math.round(ticks / TICKS_PER_MS);

export const ticksToUs = (ticks: number): number => Math.round(ticks / TICKS_PER_US);

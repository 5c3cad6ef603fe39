import type { Platform } from '@runcloud/protocol';

/** The outcome of a certification, as `certificate.json` has it. */

export type Outcome = 'passed' | 'failed' | 'not offered';

export interface CertifiedRow {
  readonly id: string;
  readonly title: string;
  readonly outcome: Outcome;
  /** The evidence, in a sentence. */
  readonly detail: string;
  readonly durationMs: number;
  /** JPEG of the display when the row ended, in base64. */
  readonly picture?: string;
}

/** Milliseconds. */
export interface Spread {
  readonly count: number;
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Absent where nothing was measured. */
export interface Latencies {
  /** From the request to `dispatched`: what the service adds before the device. */
  readonly service?: Spread;
  /** From `dispatched` to the result of a tap: what the device takes. */
  readonly device?: Spread;
  /** From the result of an input to the end of the screenshot that shows it. */
  readonly untilSeen?: Spread;
  /** From the request of a tap to the streamed picture that shows it. */
  readonly inputToPicture?: Spread;
}

export interface DeviceFacts {
  readonly platform: Platform;
  readonly driver: string;
  readonly model: string;
  readonly osVersion: string;
  readonly width: number;
  readonly height: number;
  readonly scale: number;
}

export interface Certificate {
  readonly entry: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly versions: { readonly service: string; readonly node: string; readonly os: string };
  /** Absent when no session could be created. */
  readonly device?: DeviceFacts;
  /** False as soon as one row failed, or when the run ended early. */
  readonly passed: boolean;
  readonly interrupted: boolean;
  readonly rows: readonly CertifiedRow[];
  readonly latencies: Latencies;
}

export function spreadOf(valuesMs: readonly number[]): Spread | undefined {
  if (valuesMs.length === 0) return undefined;
  const sorted = [...valuesMs].sort((one, other) => one - other);
  const rounded = (value = 0) => Math.round(value * 100) / 100;
  return { count: sorted.length, medianMs: rounded(sorted[sorted.length >> 1]), maxMs: rounded(sorted.at(-1)) };
}

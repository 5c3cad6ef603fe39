import type { Test } from 'tap';

/** Of all measurements, at least this share has to count: a machine that is never idle proves nothing. */
const COUNTED_MIN = 0.3;
const DELAY_ERROR_MS_MAX = 5;
const HOLD_ERROR_MS_MAX = 10;

/** How far off each measured time was, in milliseconds, of all that were asked for. */
export interface Measured {
  readonly asked: number;
  readonly errors: readonly number[];
}

/** A gesture whose steps are all elsewhere, so that each of them is a report of its own at the device. */
export function timedGesture(delaysMs: readonly number[], fingers: 1 | 2) {
  const count = delaysMs.length + 1;
  return {
    action: 'gesture' as const,
    steps: Array.from({ length: count }, (_, index) => ({
      phase: index === 0 ? ('begin' as const) : index === count - 1 ? ('end' as const) : ('move' as const),
      points: [0.3, 0.7].slice(0, fingers).map((x) => ({ x, y: 0.1 + (0.8 * index) / count })),
      delayMs: delaysMs[index] ?? 0,
    })),
  };
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Tells and judges the delays of gestures and the holds of keys and buttons, as they arrived at a device. */
export function judgeTimes(t: Pick<Test, 'comment' | 'ok'>, delays: Measured, holds: Measured): void {
  const judge = (what: string, { asked, errors }: Measured, errorMsMax: number) => {
    const p99 = quantile(errors, 0.99);
    t.comment(
      `${errors.length} of ${asked} ${what} count, and are off by: p50 ${quantile(errors, 0.5).toFixed(2)} ms, ` +
        `p99 ${p99.toFixed(2)} ms, most ${Math.max(...errors).toFixed(2)} ms`,
    );
    t.ok(errors.length >= asked * COUNTED_MIN, `the machine was idle often enough for ${what}`);
    t.ok(p99 <= errorMsMax, `${what} are within ${errorMsMax} ms at p99`);
  };
  judge('delays', delays, DELAY_ERROR_MS_MAX);
  judge('holds', holds, HOLD_ERROR_MS_MAX);
}

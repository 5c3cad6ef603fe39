import type { Span } from '../late-timers.ts';
import type { KeyReport, Report } from './guest-phone.ts';

/** A gesture whose steps are all elsewhere, so that each of them is one report at the device, and the lift another. */
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

const lengthMs = ({ fromMs, toMs }: Span): number => toMs - fromMs;

/** The times between the steps of one gesture as they arrived. */
export const delaySpans = (reports: readonly Report[]): readonly Span[] =>
  reports.slice(1, -1).map(({ atMs }, index) => ({ fromMs: reports[index]?.atMs ?? Number.NaN, toMs: atMs }));

/** The times for which each key or button was down, in the order in which they came up. */
export function holdSpans(keys: readonly KeyReport[]): readonly Span[] {
  const down = new Map<string, number>();
  return keys.flatMap(({ name, way, atMs }) => {
    if (way === 'down') down.set(name, atMs);
    return way === 'up' ? [{ fromMs: down.get(name) ?? Number.NaN, toMs: atMs }] : [];
  });
}

/** Their lengths in milliseconds. */
export const arrivedDelays = (reports: readonly Report[]): readonly number[] => delaySpans(reports).map(lengthMs);
export const arrivedHolds = (keys: readonly KeyReport[]): readonly number[] => holdSpans(keys).map(lengthMs);

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

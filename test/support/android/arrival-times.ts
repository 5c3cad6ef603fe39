import type { Span } from '../late-timers.ts';
import type { KeyReport, Report } from './guest-phone.ts';

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

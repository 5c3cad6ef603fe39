const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];
/** Below so many of a unit the next smaller one is told, since rounding would say too little. */
const COUNT_MIN = 1.99;

/** Milliseconds as people say them: `45 s`, `2 min`, `90 min`, `3 h`, `5 d`. */
export function spanOf(ms: number): string {
  const [name, unitMs] = UNITS.find(([, unitMs]) => ms >= COUNT_MIN * unitMs) ?? ['s', 1_000];
  return `${Math.round(ms / unitMs)} ${name}`;
}

/** An ISO 8601 time as people say it: `2 min ago`, `in 8 min`. What is no time stays as it is, and none is empty. */
export function ageOf(time: string | undefined, nowMs: number): string {
  const ms = Date.parse(time ?? '') - nowMs;
  if (Number.isNaN(ms)) return time ?? '';
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `in ${spanOf(ms)}` : `${spanOf(-ms)} ago`;
}

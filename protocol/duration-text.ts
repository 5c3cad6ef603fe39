/** Durations as people write them: a whole number and a unit (`90s`, `10m`, `2h`). On the wire they are milliseconds. */

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

export const DURATION_PATTERN = '^[0-9]{1,9}(ms|s|m|h)$';
const DURATION = /^([0-9]{1,9})(ms|s|m|h)$/;

/** Milliseconds of a duration string, or `undefined` when it is not one. */
export function parseDurationMs(text: string): number | undefined {
  const match = DURATION.exec(text);
  const unitMs = UNIT_MS[match?.[2] ?? ''];
  return match && unitMs !== undefined ? Number(match[1]) * unitMs : undefined;
}

/** The shortest duration string of a whole number of milliseconds. */
export function formatDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'] as const) {
    const unitMs = UNIT_MS[unit] ?? 1;
    if (ms >= unitMs && ms % unitMs === 0) return `${ms / unitMs}${unit}`;
  }
  return `${ms}ms`;
}

import type { Point } from '../sdk/types.ts';

/** How long a field may be in a line; longer ones are cut. */
const CHARACTERS_MAX = 60;

const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' && value !== null && Object.keys(value).join() === 'x,y';

const rounded = (value: number): string => String(Math.round(value * 1_000) / 1_000);

function shownValue(value: unknown): string {
  if (isPoint(value)) return `${rounded(value.x)},${rounded(value.y)}`;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text;
}

/** The fields of an entry in one line, such as `0.5,0.25` or `from 0.5,0.8 to 0.5,0.2 durationMs 300`. */
export function shownFields(fields: Readonly<Record<string, unknown>>): string {
  const { x, y, steps, ...others } = fields;
  const place = typeof x === 'number' && typeof y === 'number' ? [shownValue({ x, y })] : [];
  const count = Array.isArray(steps) ? [`${steps.length} steps`] : [];
  return [...place, ...count, ...Object.entries(others).map(([name, value]) => `${name} ${shownValue(value)}`)].join(
    ' ',
  );
}

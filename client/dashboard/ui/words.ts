/** Times and sizes as people read them. */

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat('en', { timeStyle: 'medium', hour12: false });
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** "5 minutes ago", "in 2 days"; a date when it is further away than a month. */
export function fromNow(iso: string, nowMs = Date.now()): string {
  const ms = Date.parse(iso) - nowMs;
  if (Math.abs(ms) > 31 * 86_400_000) return day.format(Date.parse(iso));
  for (const [unit, unitMs] of UNITS) {
    if (Math.abs(ms) >= unitMs) return relative.format(Math.round(ms / unitMs), unit);
  }
  return ms > 0 ? 'in less than a minute' : 'just now';
}

export const dateAndTime = (iso: string): string => moment.format(Date.parse(iso));

/** "09:41:07". */
export const clockTime = (iso: string): string => clock.format(Date.parse(iso));

/** "1 h 58 min", "4 min 10 s", "12 s". */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
  if (minutes >= 10) return `${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** "1.4 MB"; decimal units. */
export function size(bytes: number): string {
  for (const [unit, unitBytes] of [
    ['GB', 1e9],
    ['MB', 1e6],
    ['kB', 1e3],
  ] as const) {
    if (bytes >= unitBytes) return `${(bytes / unitBytes).toFixed(bytes >= 10 * unitBytes ? 0 : 1)} ${unit}`;
  }
  return `${bytes} bytes`;
}

/** "1 session", "2 sessions". */
export const count = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

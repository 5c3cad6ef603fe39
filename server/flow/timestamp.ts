import type { Clock } from './clock.ts';

/** A moment on both clocks: wall time for dates, monotonic time for durations. */
export interface Timestamp {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Reading both clocks takes a thousandth of this, unless the thread is suspended in between. */
const SUSPENDED_MS = 0.5;
const READINGS_MAX = 4;

/**
 * Reads both clocks at one moment; repeats the reading if the thread was suspended in between.
 * @param beforeMs the monotonic clock as it was just read
 */
export function timestampNow(clock: Clock, beforeMs: number = clock.monotonicMs()): Timestamp {
  let readMs = beforeMs;
  for (let reading = 1; ; reading++) {
    const wallMs = Math.floor(clock.wallMs());
    const monotonicMs = clock.monotonicMs();
    if (monotonicMs - readMs < SUSPENDED_MS || reading === READINGS_MAX) return { wallMs, monotonicMs };
    readMs = monotonicMs;
  }
}

/** A tenth of the millisecond that timestamps are rounded to. */
const SHARED_MS = 0.1;

/** Caches timestamps: calls within the same tenth of a millisecond share one. */
export class TimestampCache {
  readonly #clock: Clock;
  #last: Timestamp | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Timestamp {
    const last = this.#last;
    const nowMs = this.#clock.monotonicMs();
    if (last && nowMs - last.monotonicMs < SHARED_MS) {
      // The wall clock may have been set since.
      if (Math.floor(this.#clock.wallMs()) === last.wallMs) return last;
    }
    this.#last = timestampNow(this.#clock, nowMs);
    return this.#last;
  }
}

/** Whole milliseconds since `timestamp`, by the monotonic clock. */
export function elapsedMs(timestamp: Timestamp, clock: Clock): number {
  return Math.max(0, Math.round(clock.monotonicMs() - timestamp.monotonicMs));
}

const DAY_MS = 86_400_000;
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

let cachedDay = Number.NaN;
let cachedDate = '';
let cachedSecond = Number.NaN;
let cachedText = '';

/** Cache of recent texts, indexed by the low bits of the time: under load a hundred requests share a millisecond. */
const KEPT = 256;
const keptMs = new Float64Array(KEPT).fill(Number.NaN);
const keptTexts = new Array<string>(KEPT).fill('');

/** ISO 8601 in UTC with milliseconds. */
export function isoTimestamp(wallMs: number): string {
  const place = wallMs % KEPT;
  const kept = keptTexts[place];
  if (kept !== undefined && keptMs[place] === wallMs) return kept;
  const text = isoText(wallMs);
  if (kept !== undefined) {
    keptMs[place] = wallMs;
    keptTexts[place] = text;
  }
  return text;
}

/** Caches the text of the second, since most calls fall into the same second. */
function isoText(wallMs: number): string {
  const second = Math.floor(wallMs / 1_000);
  if (second !== cachedSecond) {
    cachedSecond = second;
    cachedText = upToSecond(second);
  }
  return `${cachedText}${String(wallMs - second * 1_000).padStart(3, '0')}Z`;
}

/** Caches the text of the day, since most calls fall into the same day. */
function upToSecond(second: number): string {
  const day = Math.floor((second * 1_000) / DAY_MS);
  if (day !== cachedDay) {
    cachedDay = day;
    cachedDate = new Date(day * DAY_MS).toISOString().slice(0, -13);
  }
  const ofDay = second - (day * DAY_MS) / 1_000;
  const minute = Math.floor(ofDay / 60);
  const hour = Math.floor(minute / 60);
  return `${cachedDate}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute - hour * 60]}:${TWO_DIGITS[ofDay - minute * 60]}.`;
}

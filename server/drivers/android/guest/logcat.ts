import type { LogLevel } from '@runcloud/protocol';
import type { LogLine } from '../../../device/logs.ts';

/** Of the device's clock, in microseconds since 1970. */
export type DeviceTimeUs = number;

/** A line of `logcat`. */
export interface LogcatLine extends LogLine {
  readonly timeUs: DeviceTimeUs;
}

const LEVELS: Readonly<Record<string, LogLevel>> = {
  V: 'verbose',
  D: 'debug',
  I: 'info',
  W: 'warning',
  E: 'error',
  F: 'fatal',
};

/**
 * Everything that is in the buffers, and then what comes, from a time of the device's clock on, with that time in seconds (AOSP,
 * `logcat --help`). The time is given as it is printed, because the commands of some releases read no other form of it.
 */
export const logcatSince = (timeUs: DeviceTimeUs, buffer?: 'crash'): readonly string[] => [
  'logcat',
  ...(buffer === undefined ? [] : ['-b', buffer]),
  '-v',
  'threadtime',
  '-v',
  'epoch',
  '-v',
  'usec',
  '-T',
  secondsOf(timeUs),
];

/** `date +%s.%N`: releases without fractions say `%N` or `N` in their place, and the next whole second is after all that was. */
export function readDeviceTime(text: string): DeviceTimeUs | undefined {
  const [, seconds, fraction] = /^(\d{1,11})(?:\.(\S*))?$/.exec(text.trim()) ?? [];
  if (seconds === undefined) return undefined;
  const isExact = fraction !== undefined && /^\d{6,9}$/.test(fraction);
  return isExact ? Number(seconds) * 1e6 + Number(fraction.slice(0, 6)) : (Number(seconds) + 1) * 1e6;
}

/**
 * A line of the format `threadtime` with the modifiers `epoch` and `usec` (AOSP, `liblog/logprint.cpp`): time, process, thread,
 * priority, and the tag, which is filled up to eight characters. `undefined` for another one, such as the beginning of a buffer.
 */
export function readLogcatLine(line: string): LogcatLine | undefined {
  const [, seconds, micros, pid, priority = '', tag = '', text = ''] =
    /^ *(\d{1,11})\.(\d{6}) +(\d+) +\d+ ([VDIWEF]) (.*?) *: (.*)$/s.exec(line) ?? [];
  const level = LEVELS[priority];
  if (level === undefined) return undefined;
  const timeUs = Number(seconds) * 1e6 + Number(micros);
  return { timeUs, wallMs: Math.floor(timeUs / 1_000), level, process: tag, pid: Number(pid), text };
}

const secondsOf = (timeUs: DeviceTimeUs): string =>
  `${Math.floor(timeUs / 1e6)}.${String(timeUs % 1e6).padStart(6, '0')}`;

/** A clock that goes back by more was set; by less, the lines of two buffers were written out of order. */
const SET_BACK_US = 1_000_000;
/** Different lines of one moment that are remembered. */
const AT_ONCE_MAX = 10_000;

/** Reads on where a command that has ended left off. */
export class LogcatCursor {
  readonly #onGap: () => void;
  #sinceUs: DeviceTimeUs;
  /** The latest time that a line had, and how often it had each of the lines that had it. */
  #latestUs: DeviceTimeUs;
  #atLatest = new Map<string, number>();
  /** Lines that the running command is to tell again, and whether it has told any of them. */
  #known: Map<string, number> | undefined;
  #hasTold = false;
  /** When the running command began. */
  #beganUs = 0;
  /** Whether it has come to lines that were written since it began. */
  #isLive = false;

  /**
   * @param sinceUs nothing from before is read
   * @param onGap called when the device has let go of lines that nobody read
   */
  constructor(sinceUs: DeviceTimeUs, onGap: () => void = () => undefined) {
    this.#onGap = onGap;
    this.#sinceUs = sinceUs;
    this.#latestUs = sinceUs;
  }

  /**
   * The command to run now.
   * @param nowUs what the device's clock shows, if it tells
   * @param buffer the usual ones where none is said
   */
  begin(nowUs: DeviceTimeUs | undefined, buffer?: 'crash'): readonly string[] {
    this.#beganUs = nowUs ?? this.#latestUs;
    this.#isLive = false;
    // The clock was set back while nobody read: the lines since then would come after all that are later by the clock.
    if (this.#isSetBack(this.#beganUs)) {
      this.#goBackTo(this.#beganUs);
      this.#onGap();
    }
    this.#known = this.#atLatest.size === 0 ? undefined : new Map(this.#atLatest);
    this.#hasTold = false;
    return logcatSince(this.#latestUs, buffer);
  }

  /** `undefined` for what was read before, what is older than everything that may be read, and what is no line. */
  read(raw: string): LogcatLine | undefined {
    const line = readLogcatLine(raw);
    if (!line) return undefined;
    const { timeUs } = line;
    if (this.#isLive && this.#isSetBack(timeUs)) this.#goBackTo(timeUs);
    if (timeUs >= this.#beganUs) this.#isLive = true;
    if (timeUs < this.#sinceUs) return undefined;
    if (this.#known && this.#isAgain(this.#known, raw, timeUs)) return undefined;
    if (timeUs > this.#latestUs) {
      this.#latestUs = timeUs;
      this.#atLatest.clear();
    }
    if (timeUs === this.#latestUs && this.#atLatest.size < AT_ONCE_MAX) {
      this.#atLatest.set(raw, (this.#atLatest.get(raw) ?? 0) + 1);
    }
    return line;
  }

  /** Until the first later line, everything that is older than the latest line was read before. */
  #isAgain(known: Map<string, number>, raw: string, timeUs: DeviceTimeUs): boolean {
    if (timeUs < this.#latestUs) return true;
    if (timeUs > this.#latestUs) {
      this.#known = undefined;
      if (!this.#hasTold) this.#onGap();
      return false;
    }
    const count = known.get(raw) ?? 0;
    if (count === 0) return false;
    this.#hasTold = true;
    known.set(raw, count - 1);
    return true;
  }

  #isSetBack(timeUs: DeviceTimeUs): boolean {
    return timeUs + SET_BACK_US < this.#latestUs;
  }

  #goBackTo(timeUs: DeviceTimeUs): void {
    this.#sinceUs = timeUs;
    this.#latestUs = timeUs;
    this.#atLatest.clear();
    this.#known = undefined;
  }
}

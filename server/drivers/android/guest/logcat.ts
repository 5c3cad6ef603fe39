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

/** Reads on where a command that has ended left off. */
export class LogcatCursor {
  readonly #sinceUs: DeviceTimeUs;
  /** The latest time that a line had, and the lines that had it. */
  #latestUs: DeviceTimeUs;
  #atLatest: string[] = [];
  /** Lines that a new command tells again. */
  #known: string[] | undefined;

  /** Nothing from before is read. */
  constructor(sinceUs: DeviceTimeUs) {
    this.#sinceUs = sinceUs;
    this.#latestUs = sinceUs;
  }

  /** The command to run now; of the usual buffers where none is said. */
  begin(buffer?: 'crash'): readonly string[] {
    this.#known = [...this.#atLatest];
    return logcatSince(this.#latestUs, buffer);
  }

  /** `undefined` for what was read before, what is older than everything that may be read, and what is no line. */
  read(raw: string): LogcatLine | undefined {
    const line = readLogcatLine(raw);
    if (!line || line.timeUs < this.#sinceUs) return undefined;
    if (this.#known && this.#isAgain(raw, line.timeUs)) return undefined;
    if (line.timeUs > this.#latestUs) {
      this.#latestUs = line.timeUs;
      this.#atLatest = [];
    }
    if (line.timeUs === this.#latestUs) this.#atLatest.push(raw);
    return line;
  }

  /** Until the first later line, everything that is older than the latest line was read before. */
  #isAgain(raw: string, timeUs: DeviceTimeUs): boolean {
    if (timeUs < this.#latestUs) return true;
    if (timeUs > this.#latestUs) {
      this.#known = undefined;
      return false;
    }
    const at = this.#known?.indexOf(raw) ?? -1;
    if (at < 0) return false;
    this.#known?.splice(at, 1);
    return true;
  }
}

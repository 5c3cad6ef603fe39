import type { LogEntry, LogQuery } from '@runcloud/protocol';
import { LIMITS, LOG_LEVELS } from '@runcloud/protocol/terms';
import type { Crash, CrashLine, LogLine } from '../device/logs.ts';

/** A page of lines, as JSON: the gateway only passes it on. */
export interface LogRead {
  readonly json: string;
}

/** Longer names of processes say nothing more. */
const NAME_CHARACTERS_MAX = 256;
const TIME_MS_MAX = 8.64e15;

/** The newest lines of a device's log, bounded in lines and characters. Adding a line takes the same time however many there are. */
export class LogRing {
  readonly #entries: (LogEntry | undefined)[] = new Array(LIMITS.logLines);
  #oldest = 1;
  #next = 1;
  #characters = 0;

  add({ wallMs, level, process, pid, text, ...crash }: LogLine & Partial<CrashLine>): Crash {
    const { report } = crash;
    const isLong =
      text.length > LIMITS.logTextCharacters ||
      (report !== undefined && (crash.isLong === true || report.length > LIMITS.crashReportCharacters));
    const time = new Date(Math.abs(wallMs) <= TIME_MS_MAX ? wallMs : 0).toISOString();
    const entry: LogEntry = {
      seq: this.#next,
      // Years of more than four digits are written with a sign.
      at: time.length === 24 ? time : new Date(0).toISOString(),
      level,
      process: bounded(process, NAME_CHARACTERS_MAX),
      ...(pid === undefined ? {} : { pid }),
      text: bounded(text, LIMITS.logTextCharacters),
      ...(report === undefined ? {} : { crashReport: bounded(report, LIMITS.crashReportCharacters) }),
      ...(isLong ? { truncated: true } : {}),
    };
    this.#characters += sizeOf(entry);
    if (this.#next - this.#oldest === LIMITS.logLines) this.#drop();
    this.#entries[this.#next++ % LIMITS.logLines] = entry;
    while (this.#characters > LIMITS.logCharacters) this.#drop();
    return entry;
  }

  read({ after, limit, level, process }: LogQuery): LogRead {
    const from = level === undefined ? 0 : LOG_LEVELS.indexOf(level);
    const lost = Math.max(0, this.#oldest - 1 - after);
    const told: string[] = [];
    let characters = 0;
    let next = Math.max(after, this.#oldest - 1);
    for (let seq = next + 1; seq < this.#next && told.length < limit; seq++) {
      const entry = this.#entries[seq % LIMITS.logLines];
      if (entry && LOG_LEVELS.indexOf(entry.level) >= from && (process === undefined || entry.process === process)) {
        const line = JSON.stringify(entry);
        characters += line.length;
        if (told.length > 0 && characters > LIMITS.logPageCharacters) break;
        told.push(line);
      }
      next = seq;
    }
    const more = next < this.#next - 1;
    const gap = lost > 0 ? `,"lost":${lost}` : '';
    return { json: `{"entries":[${told.join(',')}],"next":${next},"more":${more}${gap}}` };
  }

  #drop(): void {
    const at = this.#oldest++ % LIMITS.logLines;
    const entry = this.#entries[at];
    if (entry) this.#characters -= sizeOf(entry);
    this.#entries[at] = undefined;
  }
}

const sizeOf = ({ process, text, crashReport = '' }: LogEntry): number =>
  process.length + text.length + crashReport.length;

/**
 * Without half characters. It is copied, since a part of a string keeps the whole one in memory: a line may be a piece of megabytes
 * that the device wrote at once.
 */
function bounded(text: string, most: number): string {
  const isHalf = text.length > most && (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return Buffer.from(text.slice(0, isHalf ? most - 1 : most)).toString();
}

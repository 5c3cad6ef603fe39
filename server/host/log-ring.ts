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

/** Bytes of a chunk of lines; a longer line has one of its own. */
const CHUNK_BYTES = 262_144;
/** A code unit takes at most so many bytes of UTF-8. */
const UNIT_BYTES_MAX = 3;
const COMMA = 0x2c;
const SURROGATE = /[\ud800-\udfff]/;
/** Different names of processes that are kept once. */
const NAMES_MAX = 1_000;

interface Chunk {
  readonly bytes: Buffer;
  end: number;
  /** How many of its lines are kept. */
  lines: number;
}

/**
 * The newest lines of a device's log, bounded in lines and characters. Adding a line takes the same time however many there are. A
 * line is kept as the bytes of its JSON, one behind the other: objects that live as long as the newest 10,000 lines would be copied
 * by each collection of the thread, which holds up the inputs of all of its devices.
 */
export class LogRing {
  readonly #chunks: (Chunk | undefined)[] = new Array(LIMITS.logLines);
  readonly #starts = new Int32Array(LIMITS.logLines);
  readonly #ends = new Int32Array(LIMITS.logLines);
  /** Code units of the JSON, and of the texts in it. */
  readonly #lengths = new Int32Array(LIMITS.logLines);
  readonly #sizes = new Int32Array(LIMITS.logLines);
  readonly #levels = new Uint8Array(LIMITS.logLines);
  readonly #processes: string[] = new Array(LIMITS.logLines).fill('');
  readonly #names = new Map<string, string>();
  #filling: Chunk | undefined;
  /** Used again: V8 would free its memory late. */
  #spare: Chunk | undefined;
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
      process: this.#nameOf(process),
      ...(pid === undefined ? {} : { pid }),
      text: SURROGATE.test(text) || isLong ? bounded(text, LIMITS.logTextCharacters) : text,
      ...(report === undefined ? {} : { crashReport: bounded(report, LIMITS.crashReportCharacters) }),
      ...(isLong ? { truncated: true } : {}),
    };
    if (this.#next - this.#oldest === LIMITS.logLines) this.#drop();
    this.#keep(entry);
    while (this.#characters > LIMITS.logCharacters) this.#drop();
    return entry;
  }

  read({ after, limit, level, process }: LogQuery): LogRead {
    const from = level === undefined ? 0 : LOG_LEVELS.indexOf(level);
    const lost = Math.max(0, this.#oldest - 1 - after);
    const told: string[] = [];
    /** Lines behind each other in one chunk are read at once. */
    let run: { readonly first: number; last: number } | undefined;
    let [count, characters] = [0, 0];
    let next = Math.max(after, this.#oldest - 1);
    for (let seq = next + 1; seq < this.#next && count < limit; seq++) {
      const at = seq % LIMITS.logLines;
      if ((this.#levels[at] as number) >= from && (process === undefined || this.#processes[at] === process)) {
        characters += this.#lengths[at] as number;
        if (count > 0 && characters > LIMITS.logPageCharacters) break;
        count++;
        if (run?.last === seq - 1 && this.#chunks[at] === this.#chunks[run.last % LIMITS.logLines]) {
          run.last = seq;
        } else {
          if (run) told.push(this.#textOf(run.first, run.last));
          run = { first: seq, last: seq };
        }
      }
      next = seq;
    }
    if (run) told.push(this.#textOf(run.first, run.last));
    const more = next < this.#next - 1;
    const gap = lost > 0 ? `,"lost":${lost}` : '';
    return { json: `{"entries":[${told.join(',')}],"next":${next},"more":${more}${gap}}` };
  }

  #keep(entry: LogEntry): void {
    const json = JSON.stringify(entry);
    const chunk = this.#chunkFor(json.length * UNIT_BYTES_MAX + 1);
    const at = this.#next++ % LIMITS.logLines;
    const start = chunk.end;
    const end = start + chunk.bytes.write(json, start);
    chunk.bytes[end] = COMMA;
    chunk.end = end + 1;
    chunk.lines++;
    this.#chunks[at] = chunk;
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#lengths[at] = json.length;
    this.#sizes[at] = sizeOf(entry);
    this.#levels[at] = LOG_LEVELS.indexOf(entry.level);
    this.#processes[at] = entry.process;
    this.#characters += this.#sizes[at] as number;
  }

  #chunkFor(bytes: number): Chunk {
    const filling = this.#filling;
    if (filling && filling.bytes.byteLength - filling.end >= bytes) return filling;
    const spare = bytes <= CHUNK_BYTES ? this.#spare : undefined;
    if (spare) this.#spare = undefined;
    const chunk = spare ?? { bytes: Buffer.allocUnsafeSlow(Math.max(bytes, CHUNK_BYTES)), end: 0, lines: 0 };
    chunk.end = 0;
    this.#filling = chunk;
    return chunk;
  }

  #textOf(first: number, last: number): string {
    const bytes = this.#chunks[first % LIMITS.logLines]?.bytes;
    return bytes?.toString('utf8', this.#starts[first % LIMITS.logLines], this.#ends[last % LIMITS.logLines]) ?? '';
  }

  #drop(): void {
    const at = this.#oldest++ % LIMITS.logLines;
    const chunk = this.#chunks[at];
    this.#chunks[at] = undefined;
    this.#characters -= this.#sizes[at] as number;
    if (!chunk || --chunk.lines > 0 || chunk === this.#filling) return;
    if (chunk.bytes.byteLength === CHUNK_BYTES) this.#spare = chunk;
  }

  /** The name, of which there is one string however many lines have it. */
  #nameOf(process: string): string {
    const known = this.#names.get(process);
    if (known !== undefined) return known;
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    const name = bounded(process, NAME_CHARACTERS_MAX);
    this.#names.set(name, name);
    return name;
  }
}

const sizeOf = ({ process, text, crashReport = '' }: LogEntry): number =>
  process.length + text.length + crashReport.length;

/**
 * Without half characters. It is copied, since a part of a string that is kept keeps the whole one in memory, which may be a piece of
 * megabytes that the device wrote at once.
 */
function bounded(text: string, most: number): string {
  const isHalf = text.length > most && (text.charCodeAt(most - 1) & 0xfc00) === 0xd800;
  return Buffer.from(text.slice(0, isHalf ? most - 1 : most)).toString();
}

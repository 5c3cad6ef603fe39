import { LIMITS } from '@runcloud/protocol/terms';
import type { CrashLine } from '../../../device/logs.ts';
import type { Clock } from '../../../flow/clock.ts';
import type { LogcatLine } from './logcat.ts';

/** A block has ended when nothing more came for this time: the system writes it at once, in several pieces. */
const QUIET_MS = 500;
/** Of several processes at the same time. */
const OPEN_MAX = 8;
const NAME_CHARACTERS_MAX = 256;

interface Block {
  readonly first: LogcatLine;
  readonly lines: string[];
  characters: number;
  isLong: boolean;
  cancel: () => void;
}

/**
 * The reports in the buffer `crash`: of Java's exceptions that nobody caught, by `AndroidRuntime` (AOSP, `RuntimeInit.java`), and of
 * signals, by `DEBUG` (`debuggerd/libdebuggerd/tombstone.cpp`). Reports of several processes may be mixed.
 */
export class CrashBlocks {
  readonly #clock: Clock;
  readonly #take: (crash: CrashLine) => void;
  readonly #open = new Map<string, Block>();

  constructor(clock: Clock, take: (crash: CrashLine) => void) {
    this.#clock = clock;
    this.#take = take;
  }

  read(line: LogcatLine): void {
    const key = `${line.process} ${line.pid}`;
    const begins = line.process === 'AndroidRuntime' ? /^FATAL EXCEPTION/ : /^\*\*\* \*\*\* /;
    const isReport = line.process === 'AndroidRuntime' || line.process === 'DEBUG';
    if (isReport && begins.test(line.text)) this.#begin(key, line);
    const block = this.#open.get(key);
    if (!block) return;
    block.cancel();
    block.cancel = this.#clock.schedule(QUIET_MS, () => this.#end(key));
    block.isLong ||= block.characters + line.text.length > LIMITS.crashReportCharacters;
    if (block.isLong) return;
    block.lines.push(line.text);
    block.characters += line.text.length + 1;
  }

  close(): void {
    for (const { cancel } of this.#open.values()) cancel();
    this.#open.clear();
  }

  #begin(key: string, first: LogcatLine): void {
    this.#end(key);
    const [oldest] = this.#open.keys();
    if (oldest !== undefined && this.#open.size >= OPEN_MAX) this.#end(oldest);
    this.#open.set(key, { first, lines: [], characters: 0, isLong: false, cancel: () => undefined });
  }

  #end(key: string): void {
    const block = this.#open.get(key);
    if (!block) return;
    this.#open.delete(key);
    block.cancel();
    const { first, lines, isLong } = block;
    this.#take({ wallMs: first.wallMs, ...namesIn(first, lines), report: lines.join('\n'), isLong });
  }
}

/** Which app it was, and the line that says what happened. */
function namesIn({ process, pid, text }: LogcatLine, lines: readonly string[]) {
  const isJava = process === 'AndroidRuntime';
  const about = isJava ? /^Process: ([^\s,]+), PID: (\d{1,10})/ : /^pid: (\d{1,10}),.*>>> (\S+) <<</;
  const at = lines.findIndex((line) => about.test(line));
  const found = about.exec(lines[at] ?? '');
  const [name, number] = isJava ? [found?.[1], found?.[2]] : [found?.[2], found?.[1]];
  const what = isJava ? lines[Math.max(at, 0) + 1] : lines.find((line) => line.startsWith('signal '));
  return {
    process: (name ?? process).slice(0, NAME_CHARACTERS_MAX),
    ...(number === undefined ? (isJava ? { pid } : {}) : { pid: Number(number) }),
    text: what ?? text,
  };
}

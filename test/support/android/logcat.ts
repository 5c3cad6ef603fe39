import type { CommandAnswer } from './guest-commands.ts';

/** An entry of the device's log. Its text may have several lines. */
export interface LoggedEntry {
  readonly timeUs: number;
  readonly pid: number;
  readonly priority: 'V' | 'D' | 'I' | 'W' | 'E' | 'F';
  readonly tag: string;
  readonly text: string;
  readonly buffer: 'main' | 'system' | 'crash';
}

const USUAL = 'main,system,crash';

/** The daemon of an Android device that keeps its log, and `logcat`, which reads it (AOSP, `logcat.cpp`, `logprint.cpp`). */
export class Logd {
  readonly entries: LoggedEntry[] = [];
  /** What ends each command that reads, and what tells it of an entry. */
  readonly #readers = new Map<() => void, (entry: LoggedEntry) => void>();

  get readers(): number {
    return this.#readers.size;
  }

  write(entry: Partial<LoggedEntry> & Pick<LoggedEntry, 'text'>): void {
    const whole: LoggedEntry = {
      timeUs: Date.now() * 1_000,
      pid: 1_234,
      priority: 'I',
      tag: 'standin',
      buffer: 'main',
      ...entry,
    };
    this.entries.push(whole);
    for (const tell of this.#readers.values()) tell(whole);
  }

  /** An exception that an app does not catch, as the runtime reports it. */
  crash(name: string, reason: string): void {
    const at = '\tat android.app.ActivityThread.main(ActivityThread.java:8177)';
    const text = `FATAL EXCEPTION: main\nProcess: ${name}, PID: 4321\njava.lang.IllegalStateException: ${reason}\n${at}`;
    this.write({ text, tag: 'AndroidRuntime', priority: 'E', pid: 4_321, buffer: 'crash' });
  }

  /** Everything that reads ends, as when the daemon is started anew. */
  restart(): void {
    for (const end of [...this.#readers.keys()]) end();
  }

  answer(words: readonly string[], gone: AbortSignal): CommandAnswer {
    const modifiers = new Set<string>();
    let buffers = USUAL;
    let since: number | undefined;
    for (let at = 0; at < words.length; at += 2) {
      const [option, value = ''] = words.slice(at, at + 2);
      if (option === '-v') modifiers.add(value);
      else if (option === '-b') buffers = value;
      else if (option === '-T' && /^\d+\.\d+$/.test(value)) since = Math.round(Number(value) * 1e6);
      else return { code: 1, out: `logcat: unknown option ${option}\n` };
    }
    const known = ['threadtime', 'epoch', 'usec'];
    const odd = [...modifiers].find((word) => !known.includes(word));
    if (odd !== undefined) return { code: 1, out: `logcat: Invalid parameter "${odd}" to -v\n` };
    if (modifiers.size !== known.length)
      return { code: 1, out: 'the stand-in prints threadtime, epoch and usec alone\n' };
    return { running: (say) => this.#read(buffers.split(','), since ?? 0, say, gone) };
  }

  #read(buffers: readonly string[], since: number, say: (out: string) => void, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const begun = new Set<string>();
      const tell = (entry: LoggedEntry) => {
        if (!buffers.includes(entry.buffer)) return;
        const head = begun.has(entry.buffer) ? '' : `--------- beginning of ${entry.buffer}\n`;
        begun.add(entry.buffer);
        say(`${head}${printed(entry)}`);
      };
      const end = () => {
        this.#readers.delete(end);
        resolve();
      };
      for (const entry of this.entries) if (entry.timeUs >= since) tell(entry);
      this.#readers.set(end, tell);
      gone.addEventListener('abort', end, { once: true });
    });
  }
}

/** Each line of an entry has the head of its own. */
function printed({ timeUs, pid, priority, tag, text }: LoggedEntry): string {
  const seconds = String(Math.floor(timeUs / 1e6)).padStart(19);
  const micros = String(timeUs % 1e6).padStart(6, '0');
  const thread = String(pid).padStart(5);
  const head = `${seconds}.${micros} ${thread} ${thread} ${priority} ${tag.padEnd(8)}: `;
  return text
    .split('\n')
    .map((line) => `${head}${line}\n`)
    .join('');
}

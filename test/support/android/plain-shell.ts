import { type ChildProcess, spawn } from 'node:child_process';
import type { ExactResult, GuestShell } from '../../../server/drivers/android/adb/guest-shell.ts';
import { commandLine } from '../../../server/drivers/android/guest/quote.ts';

const NAMES = ['am', 'pm', 'cmd', 'dumpsys', 'settings', 'input', 'ps'];
/** Longer than a shell needs that was not led to wait for a closing quote. */
const ANSWER_MS_MAX = 5_000;

/**
 * The device's shell without a device and without adb: a real `/bin/sh` that stays, reads the driver's command lines, and
 * tells the words that a program got. It takes a fraction of a millisecond for each.
 */
export class PlainShell {
  /** The arguments of the last commands, as their programs got them. */
  readonly got: (readonly string[])[] = [];
  readonly #shell: ChildProcess;
  readonly #answer: (words: readonly string[]) => string;
  #pending = '';
  #heard: () => void = () => undefined;

  /** @param answer what each command prints */
  constructor(answer: (words: readonly string[]) => string) {
    this.#answer = answer;
    this.#shell = spawn('/bin/sh', [], { env: { PATH: '' }, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#shell.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      this.#pending += piece;
      this.#heard();
    });
    const functions = NAMES.map((name) => `${name}() { printf '%s\\0' "$#" ${name} "$@"; }\n`);
    // No function may have such a name.
    const other = `run_as() { printf '%s\\0' "$#" run-as "$@"; }\nalias run-as=run_as\n`;
    this.#shell.stdin?.write(functions.join('') + other);
  }

  /** It has the methods of the driver's shell that commands go through. */
  get asGuestShell(): GuestShell {
    return this as unknown as GuestShell;
  }

  async run(words: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
    this.#shell.stdin?.write(`${commandLine(words)}\n`);
    const got = await this.#words();
    this.got.push(got);
    return { exitCode: 0, output: this.#answer(got) };
  }

  async must(words: readonly string[]): Promise<string> {
    return (await this.run(words)).output;
  }

  async exact(words: readonly string[]): Promise<ExactResult> {
    const { output } = await this.run(words);
    return { exitCode: 0, output: Buffer.from(output), errors: '' };
  }

  close(): void {
    this.#shell.kill('SIGKILL');
  }

  #words(): Promise<readonly string[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the shell waits for more')), ANSWER_MS_MAX);
      this.#heard = () => {
        const [count, ...words] = this.#pending.split('\0');
        // The text after the last NUL is incomplete.
        if (count === undefined || words.length < Number(count) + 2) return;
        clearTimeout(timer);
        this.#pending = words.slice(Number(count) + 1).join('\0');
        resolve(words.slice(0, Number(count) + 1));
      };
      this.#heard();
    });
  }
}

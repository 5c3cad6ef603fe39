import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { visible, visibleJson } from './visible.ts';

type Stream = Writable & { readonly isTTY?: boolean };

/**
 * The only way from commands to standard output and standard error. What came from a service is shown, and never obeyed by
 * a terminal: each line and each JSON object is written with its control characters visible.
 */
export class WriteOut {
  readonly #stdout: Stream;
  readonly #stderr: Stream;

  constructor(stdout: Stream, stderr: Stream) {
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Whether a person looks at standard output. */
  get isTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** Standard error if it is a terminal, for a progress bar. Text of a service must not be written to it. */
  get terminal(): NodeJS.WritableStream | undefined {
    return this.#stderr.isTTY === true ? this.#stderr : undefined;
  }

  /** Whether all that was written is on its way. */
  get isFlushed(): boolean {
    return this.#stdout.writableLength === 0 && this.#stderr.writableLength === 0;
  }

  lines(lines: readonly string[]): void {
    this.#stdout.write(text(lines));
  }

  json(value: unknown): void {
    this.#stdout.write(`${visibleJson(value)}\n`);
  }

  /** To standard error, beside a result that standard output has. */
  asideLines(lines: readonly string[]): void {
    this.#stderr.write(text(lines));
  }

  asideJson(value: unknown): void {
    this.#stderr.write(`${visibleJson(value)}\n`);
  }

  /** Writes text of this program unchanged: help and completion scripts. */
  own(text: string): void {
    this.#stdout.write(text);
  }

  /** The bytes of a file, as fast as standard output takes them. */
  async bytes(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    for await (const chunk of chunks) if (!this.#stdout.write(chunk)) await once(this.#stdout, 'drain');
  }
}

const text = (lines: readonly string[]): string => lines.map((line) => `${visible(line)}\n`).join('');

import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { colored, showsColors } from './terminal/colors.ts';
import { type Line, spansOf } from './terminal/line.ts';
import { visible, visibleJson } from './visible.ts';

/** A standard stream; `columns` are those of a terminal. */
export type Stream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** Where a terminal does not say how wide it is. */
const COLUMNS = 80;
/** Help is no wider: longer lines are hard to read. */
const HELP_COLUMNS_MAX = 100;

/**
 * The only way from commands to standard output and standard error. What came from a service is shown, and never obeyed by
 * a terminal: each line and each JSON object is written with its control characters visible. Styles are this program's own,
 * and only a terminal gets them.
 */
export class WriteOut {
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #showsColors: boolean;

  constructor(stdout: Stream, stderr: Stream, env: Readonly<Record<string, string | undefined>>) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.#showsColors = showsColors(env);
  }

  /** Whether a person looks at standard output. */
  get isTerminal(): boolean {
    return this.#stdout.isTTY === true;
  }

  /** Whether a person looks at standard error. */
  get isErrorTerminal(): boolean {
    return this.#stderr.isTTY === true;
  }

  /** Of the terminal that standard output is. */
  get columns(): number {
    return this.#stdout.columns || COLUMNS;
  }

  get helpColumns(): number {
    return this.isTerminal ? Math.min(this.columns, HELP_COLUMNS_MAX) : HELP_COLUMNS_MAX;
  }

  get errorColumns(): number {
    return this.#stderr.columns || COLUMNS;
  }

  get hasColors(): boolean {
    return this.isTerminal && this.#showsColors;
  }

  /** Standard error if it is a terminal, for a progress bar. Text of a service must not be written to it. */
  get terminal(): NodeJS.WritableStream | undefined {
    return this.isErrorTerminal ? this.#stderr : undefined;
  }

  /** Whether all that was written is on its way. */
  get isFlushed(): boolean {
    return this.#stdout.writableLength === 0 && this.#stderr.writableLength === 0;
  }

  /** Resolves when standard output takes more; a list without end must not gather here. */
  async drained(): Promise<void> {
    if (this.#stdout.writableNeedDrain) await once(this.#stdout, 'drain');
  }

  lines(lines: readonly Line[]): void {
    this.#write(this.#stdout, lines);
  }

  json(value: unknown): void {
    this.#stdout.write(`${visibleJson(value)}\n`);
  }

  /** To standard error, beside a result that standard output has. */
  asideLines(lines: readonly Line[]): void {
    this.#write(this.#stderr, lines);
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

  #write(stream: Stream, lines: readonly Line[]): void {
    const hasColors = stream.isTTY === true && this.#showsColors;
    stream.write(lines.map((line) => `${written(line, hasColors)}\n`).join(''));
  }
}

const written = (line: Line, hasColors: boolean): string =>
  spansOf(line)
    .map((span) => {
      if (typeof span === 'string') return visible(span);
      return hasColors ? colored(visible(span.text), span.style) : visible(span.text);
    })
    .join('');

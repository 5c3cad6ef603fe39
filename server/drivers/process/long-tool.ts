import { basename } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { ToolEnvironment } from '../../device/target.ts';
import { endGroup, spawnChild } from './children.ts';
import { noteProgram } from './left-behind.ts';
import { plainLine } from './plain-line.ts';

const LINE_CHARACTERS_MAX = 4_096;

export interface LongToolOptions {
  readonly tools: ToolEnvironment;
  /** Receives each line of both outputs, cut at `lineCharactersMax` characters. */
  readonly onLine?: (line: string) => void;
  /** Longer lines are cut: what comes after is not read. */
  readonly lineCharactersMax?: number;
}

/** A program that runs until it is told to end, such as an emulator or a helper. */
export interface LongTool {
  readonly pid: number | undefined;
  /** Why it ended, as a sentence; settles once, also when it could not be started. */
  readonly ended: Promise<string>;
  /** Ends it with everything that it has started; settles when it is gone. */
  end(): Promise<void>;
}

/** Starts a program that stays. Its outputs are read to their end, so that it never waits for a reader. */
export function startLongTool(program: string, args: readonly string[], options: LongToolOptions): LongTool {
  const name = basename(program);
  const child = spawnChild(program, args, options.tools, ['ignore', 'pipe', 'pipe']);
  const takeNoteBack = child.pid === undefined ? () => undefined : noteProgram(child.pid);
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    const onLine = (line: string) => {
      if (line !== '') last = line;
      options.onLine?.(line);
    };
    readLines(stream, onLine, options.lineCharactersMax);
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`\`${name}\` cannot be started: ${plainLine(error.message)}.`));
    child.once('exit', (code, signal) => {
      takeNoteBack();
      const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
      const words = plainLine(last);
      resolve(`\`${name}\` ${how}${words === '' ? '' : `; it said: ${words}`}.`);
    });
  });
  return {
    pid: child.pid,
    ended,
    async end() {
      endGroup(child);
      await ended;
    },
  };
}

/** Tells whole lines, and of endless ones the beginning. */
export function readLines(
  stream: NodeJS.ReadableStream,
  onLine: (line: string) => void,
  charactersMax = LINE_CHARACTERS_MAX,
): void {
  const decoder = new StringDecoder();
  let line = '';
  stream.on('data', (piece: Buffer) => {
    const [first = '', ...rest] = decoder.write(piece).split('\n');
    line = (line + first).slice(0, charactersMax);
    for (const next of rest) {
      onLine(line.replace(/\r$/, ''));
      line = next.slice(0, charactersMax);
    }
  });
  stream.on('end', () => {
    if (line !== '') onLine(line);
  });
  stream.on('error', () => undefined);
}

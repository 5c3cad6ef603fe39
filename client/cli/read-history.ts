import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { compileCheck } from '../../protocol/compile-check.ts';
import { faultSentence } from '../../protocol/fault.ts';
import { HistoryEntry as EntrySchema } from '../../protocol/history.ts';
import type { HistoryEntry } from '../sdk/types.ts';
import type { Cli } from './cli.ts';
import { invalidRequest } from './failure.ts';

/** The entries of a session's history, by its id, or of a file that `history --json` wrote; `-` is standard input. */
export async function entriesFrom(cli: Cli, from: string): Promise<AsyncIterable<HistoryEntry>> {
  const { interrupt: signal, stdin } = cli.io;
  if (/^ses_[\w-]+$/.test(from)) return (await cli.cloud.sessions.get(from, { signal })).history({ signal });
  if (from === '-') return readLines(stdin, signal);
  // Opened before anything is sent: a file that cannot be read is told first.
  return readLines((await open(from)).createReadStream(), signal);
}

const check = compileCheck(EntrySchema);

async function* readLines(input: Readable, signal: AbortSignal): AsyncGenerator<HistoryEntry, void> {
  // The interface does not pass an error of its input on.
  const failed = new Promise<never>((_, reject) => void input.once('error', reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input, terminal: false, signal })[Symbol.asyncIterator]();
  for (let number = 1; ; number++) {
    const { done: isOver, value: line } = await Promise.race([lines.next(), failed]);
    if (isOver) return signal.throwIfAborted();
    if (line.trim() !== '') yield entryOf(line, number);
  }
}

function entryOf(line: string, number: number): HistoryEntry {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw invalidRequest(`Line ${number} is not JSON.`);
  }
  const fault = check(value);
  if (fault) throw invalidRequest(`Line ${number} is no entry of a history: ${faultSentence(fault)}`);
  return value as HistoryEntry;
}

import type { FileKind } from '@runcloud/protocol';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { ExactOptions, ExactResult, GuestShell } from '../adb/guest-shell.ts';
import { quoteArgument } from './quote.ts';

/** What `stat` tells. */
export interface GuestStat {
  readonly kind: FileKind;
  readonly byteSize: number;
  readonly modifiedMs: number;
}

/** A command's words have no more bytes, quoted, than this: adb's own bound is 64 KiB. */
const WORDS_BYTES_MAX = 16_384;
const KINDS: Readonly<Record<number, FileKind>> = { 32768: 'file', 16384: 'folder', 40960: 'link' };
/** The mode in hexadecimal digits, the size, and the seconds since 1970. */
const STAT = '%f %s %Y %n';
const STAT_LINE = /^([0-9a-f]{1,8}) (\d{1,19}) (-?\d{1,19}) /;
const LIST_BYTES_MAX = 16_777_216;

/**
 * A folder of a device by its own commands. Paths begin with its base, so that none is taken for an option, and their words are quoted.
 * All methods reject with `DeviceFault`s.
 */
export class GuestFolder {
  readonly #shell: GuestShell;
  readonly #before: readonly string[];
  readonly #base: string;

  /**
   * @param base ends with a slash
   * @param before words that come before every command, such as those of `run-as`
   */
  constructor(shell: GuestShell, base: string, before: readonly string[] = []) {
    this.#shell = shell;
    this.#base = base;
    this.#before = before;
  }

  /** As a command has it. */
  pathOf(path: string): string {
    return `${this.#base}${path}`;
  }

  /** Runs a command that has to succeed. */
  async do(words: readonly string[], options: ExactOptions = {}): Promise<Buffer> {
    const result = await this.#run(words, options);
    if (result.exitCode === 0) return result.output;
    throw new DeviceFault('failed', `\`${words[0]}\` on the device ended with ${result.exitCode}: ${lineOf(result)}`);
  }

  /** What is known of each path, of those that are there; links are told as such. */
  async stats(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, GuestStat>> {
    const found = new Map<string, GuestStat>();
    for (const some of inBatches(paths)) {
      const words = some.map((path) => this.pathOf(path));
      // It fails where one of them is not there, and tells the others.
      const { output } = await this.#run(['stat', '-c', STAT, ...words], { signal });
      readStats(output, words, (index, stat) => found.set(some[index] ?? '', stat));
    }
    return found;
  }

  /** The names of what is in a folder, as bytes. */
  async names(path: string, signal: AbortSignal): Promise<readonly Buffer[]> {
    const words = ['find', this.pathOf(path), '-mindepth', '1', '-maxdepth', '1', '-print0'];
    const output = await this.do(words, { signal, outputBytesMax: LIST_BYTES_MAX });
    const names: Buffer[] = [];
    for (let at = 0; at < output.length; ) {
      const end = output.indexOf(0, at);
      if (end < 0) break;
      const whole = output.subarray(at, end);
      names.push(whole.subarray(whole.lastIndexOf(0x2f) + 1));
      at = end + 1;
    }
    return names;
  }

  async #run(words: readonly string[], options: ExactOptions): Promise<ExactResult> {
    const result = await this.#shell.exact([...this.#before, ...words], options);
    const { exitCode, output, errors } = result;
    const [program = '', app = ''] = this.#before;
    if (exitCode === 0 || program === '') return result;
    const told = [errors, output.toString()].find((text) => text.trimStart().startsWith(`${program}: `));
    if (told === undefined) return result;
    throw new DeviceFault('failed', `The device does not let the folder of ${app} be entered: ${plainLine(told)}`);
  }
}

const lineOf = ({ errors, output }: ExactResult): string =>
  plainLine(errors.trim() === '' ? output.toString() : errors);

function* inBatches(paths: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    const more = Buffer.byteLength(quoteArgument(path)) + 16;
    if (batch.length > 0 && bytes + more > WORDS_BYTES_MAX) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(path);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}

/** Each line ends with the word that it is of, which tells where it ends whatever is in it. */
function readStats(output: Buffer, words: readonly string[], tell: (index: number, stat: GuestStat) => void): void {
  let at = 0;
  for (const [index, word] of words.entries()) {
    const [head = '', mode = '', size = '', seconds = ''] =
      STAT_LINE.exec(output.toString('latin1', at, at + 64)) ?? [];
    const name = Buffer.from(`${word}\n`);
    const from = at + head.length;
    if (head === '' || !output.subarray(from, from + name.length).equals(name)) continue;
    const kind = KINDS[Number.parseInt(mode, 16) & 0xf000] ?? 'other';
    tell(index, { kind, byteSize: Number(size), modifiedMs: Number(seconds) * 1_000 });
    at = from + name.length;
  }
}

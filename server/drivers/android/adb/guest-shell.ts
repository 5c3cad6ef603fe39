import { StringDecoder } from 'node:string_decoder';
import type { Adb, AdbServerClient } from '@yume-chan/adb';
import { type ReadableStream, AbortController as StreamAbort } from '@yume-chan/stream-extra';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import { commandLine } from '../guest/quote.ts';

export interface CommandOptions {
  readonly signal?: AbortSignal;
  /** The command is ended when it takes longer; 15 s where nothing is said. */
  readonly timeoutMs?: number;
  readonly outputBytesMax?: number;
  /** Written to the command's standard input, which then ends. */
  readonly input?: AsyncIterable<Uint8Array>;
}

export interface CommandResult {
  /** 0 where the device is too old to tell. */
  readonly exitCode: number;
  /** Both outputs. */
  readonly output: string;
}

export interface ExactOptions extends CommandOptions {
  /** Gets the output instead, in order. */
  readonly take?: (piece: Uint8Array) => Promise<void>;
}

export interface ExactResult {
  readonly exitCode: number;
  readonly output: Buffer;
  readonly errors: string;
}

const TIMEOUT_MS = 15_000;
/** `dumpsys` of a busy device says about a megabyte. */
const OUTPUT_BYTES_MAX = 4_194_304;
/** A connection to a device keeps something of each command until it is closed. */
const COMMANDS_MAX = 1_000;

/** The shell of one device behind the adb server. Commands are words; every word stays one, whatever is in it. */
export class GuestShell {
  readonly serial: string;
  readonly #client: AdbServerClient;
  #adb: Promise<Adb> | undefined;
  #commands = 0;
  #closed = false;
  readonly #connections = new Set<Promise<Adb>>();
  /** Ends the running commands. */
  readonly #running = new Set<(fault: DeviceFault) => void>();

  constructor(client: AdbServerClient, serial: string) {
    this.#client = client;
    this.serial = serial;
  }

  /** Runs a command to its end, whatever its exit code. Rejects with a `DeviceFault`. */
  async run(words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
    return this.#guard(words, options, async (adb, signal) => {
      const limit = options.outputBytesMax ?? OUTPUT_BYTES_MAX;
      const shell = adb.subprocess.shellProtocol;
      if (!shell || options.input) {
        const process = await plain(adb, words, signal);
        const [output] = await Promise.all([
          gather(process.output, limit, words),
          options.input ? feed(process.stdin, options.input) : undefined,
        ]);
        return { exitCode: 0, output: output.toString() };
      }
      const process = await shell.spawn([commandLine(words)], signal);
      const [stdout, stderr, exitCode] = await Promise.all([
        gather(process.stdout, limit, words),
        gather(process.stderr, limit, words),
        process.exited,
      ]);
      return { exitCode, output: `${stdout}${stderr}` };
    });
  }

  /**
   * Runs a command to its end, and tells its outputs apart; its input ends with `input`. Rejects with a `DeviceFault`, of the kind
   * `unsupported` where the device cannot.
   */
  async exact(words: readonly string[], options: ExactOptions = {}): Promise<ExactResult> {
    return this.#guard(words, options, async (adb, signal) => {
      const shell = adb.subprocess.shellProtocol;
      if (!shell) throw new DeviceFault('unsupported', 'The device is too old to tell how a command ended.');
      const process = await shell.spawn([commandLine(words)], signal);
      process.exited.catch(() => undefined);
      // A command that ends takes no more; how it ended tells whether that was too early.
      if (options.input) feed(process.stdin, options.input, true).catch(() => undefined);
      const limit = options.outputBytesMax ?? OUTPUT_BYTES_MAX;
      const [output, errors, exitCode] = await Promise.all([
        options.take ? pass(process.stdout, options.take) : gather(process.stdout, limit, words),
        gather(process.stderr, limit, words),
        process.exited,
      ]);
      return { exitCode, output, errors: errors.toString() };
    });
  }

  /** Yields a command's standard output, byte by byte. Rejects with a `DeviceFault`. */
  async bytes(words: readonly string[], options: CommandOptions = {}): Promise<Buffer> {
    return this.#guard(words, options, async (adb, signal) => {
      const process = await plain(adb, words, signal);
      return gather(process.output, options.outputBytesMax ?? OUTPUT_BYTES_MAX, words);
    });
  }

  /** The same as `run`, for commands that have to succeed. */
  async must(words: readonly string[], options: CommandOptions = {}): Promise<string> {
    const { exitCode, output } = await this.run(words, options);
    if (exitCode === 0) return output;
    throw new DeviceFault('failed', `\`${words[0]}\` on the device ended with ${exitCode}: ${plainLine(output)}`);
  }

  /**
   * A connection of its own to the device, for what stays open for longer than a command. It ends with the shell, if its
   * owner does not end it before. Rejects with a `DeviceFault`.
   */
  async connection(): Promise<Adb> {
    if (this.#closed) throw new DeviceFault('unreachable', 'The shell of the device is closed.');
    const connecting = this.#client.createAdb({ serial: this.serial });
    this.#connections.add(connecting);
    try {
      const adb = await connecting;
      const forget = () => void this.#connections.delete(connecting);
      adb.disconnected.then(forget, forget);
      return adb;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new DeviceFault('unavailable', `The device does not answer over adb: ${plainLine(why)}`);
    }
  }

  /**
   * Yields the output of a command that goes on, over a connection of its own, until the command or the connection ends or the
   * signal fires. Rejects with a `DeviceFault` where it cannot be started.
   */
  async *stream(words: readonly string[], ended: AbortSignal): AsyncGenerator<string, void> {
    const adb = await this.connection();
    const end = () => void adb.close().catch(() => undefined);
    ended.addEventListener('abort', end, { once: true });
    const decoder = new StringDecoder();
    try {
      if (ended.aborted) return;
      const { output } = await plain(adb, words);
      // The connection was closed before it had this stream, and is closed once more below.
      if (ended.aborted) return;
      for await (const piece of output as AsyncIterable<Uint8Array>) yield decoder.write(Buffer.from(piece));
    } catch (error) {
      // A connection that ends takes its streams with it.
      if (ended.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      throw new DeviceFault('unavailable', `The device does not answer over adb: ${plainLine(why)}`);
    } finally {
      ended.removeEventListener('abort', end);
      end();
    }
  }

  /** Ends the commands that run, and takes no more. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.then((adb) => adb.close()).catch(() => undefined);
    this.#connections.clear();
    for (const stop of this.#running) stop(new DeviceFault('unreachable', 'The shell of the device is closed.'));
    this.#forget();
  }

  /** The next command makes a connection of its own: it may be another device behind the same serial. */
  #forget(): void {
    const adb = this.#adb;
    this.#adb = undefined;
    this.#commands = 0;
    adb?.then((open) => open.close()).catch(() => undefined);
  }

  async #guard<T>(
    words: readonly string[],
    { signal, timeoutMs = TIMEOUT_MS }: CommandOptions,
    work: (adb: Adb, signal: StreamAbort['signal']) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted) throw new DeviceFault('aborted', 'The call was ended.');
    if (this.#closed) throw new DeviceFault('unreachable', 'The shell of the device is closed.');
    if (++this.#commands > COMMANDS_MAX && this.#running.size === 0) this.#forget();
    const abort = new StreamAbort();
    let fault: DeviceFault | undefined;
    let stop: (fault: DeviceFault) => void = () => undefined;
    const stopped = new Promise<never>((_, reject) => {
      stop = (why) => {
        fault ??= why;
        abort.abort();
        reject(fault);
      };
    });
    this.#running.add(stop);
    const onAbort = () => stop(new DeviceFault('aborted', 'The call was ended.'));
    signal?.addEventListener('abort', onAbort, { once: true });
    const timer = setTimeout(() => {
      stop(new DeviceFault('unavailable', `\`${words[0]}\` on the device did not end within ${timeoutMs} ms.`));
    }, timeoutMs);
    try {
      const adb = await Promise.race([this.#connect(), stopped]);
      return await Promise.race([work(adb, abort.signal), stopped]);
    } catch (error) {
      abort.abort();
      if (fault) throw fault;
      if (error instanceof DeviceFault) throw error;
      this.#forget();
      const why = error instanceof Error ? error.message : String(error);
      throw new DeviceFault('unavailable', `The device does not answer over adb: ${plainLine(why)}`);
    } finally {
      clearTimeout(timer);
      this.#running.delete(stop);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #connect(): Promise<Adb> {
    this.#adb ??= this.#client.createAdb({ serial: this.serial });
    const connecting = this.#adb;
    const gone = () => {
      if (this.#adb !== connecting) return;
      this.#forget();
      // A connection that the server leaves in the middle is not always told so.
      for (const stop of this.#running) stop(new DeviceFault('unavailable', 'The device is gone from adb.'));
    };
    connecting.then((adb) => adb.disconnected.then(gone, gone), gone);
    return connecting;
  }
}

async function plain(adb: Adb, words: readonly string[], signal?: StreamAbort['signal']) {
  const process = await adb.subprocess.noneProtocol.spawn([commandLine(words)], signal);
  // Rejects when the command is stopped; a rejection that nobody handles would end the thread, with all of its devices.
  process.exited.catch(() => undefined);
  return process;
}

async function gather(stream: ReadableStream<Uint8Array>, limit: number, words: readonly string[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > limit) throw new DeviceFault('nonsense', `\`${words[0]}\` on the device said more than is believable.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

interface Sink {
  getWriter(): { write(piece: Uint8Array): Promise<void>; close(): Promise<void> };
}

/** @param ends whether its end is told */
async function feed(stdin: unknown, input: AsyncIterable<Uint8Array>, ends = false): Promise<void> {
  const writer = (stdin as Sink).getWriter();
  for await (const piece of input) await writer.write(piece);
  if (ends) await writer.close();
}

async function pass(stream: ReadableStream<Uint8Array>, take: (piece: Uint8Array) => Promise<void>): Promise<Buffer> {
  for await (const piece of stream as AsyncIterable<Uint8Array>) await take(piece);
  return Buffer.alloc(0);
}

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Adb, AdbSocket } from '@yume-chan/adb';
import { BufferedReadableStream, PushReadableStream, type ReadableStream } from '@yume-chan/stream-extra';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { withTimeout } from '../../../flow/timeout.ts';
import { plainLine } from '../../process/plain-line.ts';
import { commandLine } from '../guest/quote.ts';
import type { ServerFile } from './server-file.ts';
import { VIDEO_EDGE_MAX } from './video-reader.ts';

/** One name for all sessions: a file that a killed service has left is written over by the next. */
export const DEVICE_PATH = '/data/local/tmp/runcloud-scrcpy-server.jar';
/** Java's machine comes up within two seconds on slow phones; pushing a tenth of a megabyte takes less. */
const START_MS_MAX = 15_000;
const TRY_AGAIN_MS = 50;
/** A process whose sockets are closed ends by itself within moments. */
const END_MS_MAX = 1_000;
/** The last words of a server that has ended. */
const WORDS_MAX = 4_096;
const BIT_RATE = 8_000_000;
const FPS_MAX = 60;

/**
 * scrcpy's server on a device: a process and its two sockets. They end together. `AdbScrcpyClient` of `@yume-chan/adb-scrcpy`
 * would do this in fewer lines, but its start can end before the server's last words are read, it makes the server's file writable
 * for everybody, and it neither ends a process that hangs nor bounds what one prints. Its readers of the video take version 4's
 * size for a packet, and memory for any length that a device names.
 */
export class ScrcpyServer {
  /** The video socket, behind the byte that told that it is one. */
  readonly video: BufferedReadableStream;
  readonly control: AdbSocket;
  /** Lines that the server prints, while it runs; told from the next one on. */
  onLine: (line: string) => void = () => undefined;
  /** Why the process is over, as a sentence without its stop; settles once. */
  readonly ended: Promise<string>;
  readonly #adb: Adb;
  readonly #process: ServerProcess;

  private constructor(adb: Adb, process: ServerProcess, video: BufferedReadableStream, control: AdbSocket) {
    this.#adb = adb;
    this.#process = process;
    this.ended = process.ended;
    process.heard = (line) => this.onLine(line);
    this.video = video;
    this.control = control;
  }

  /**
   * Brings the server to the device and starts it.
   * @param adb a connection of its own, which ends with the server, also with one that does not come up
   */
  static async start(adb: Adb, file: ServerFile): Promise<ScrcpyServer> {
    try {
      const { process, video, control } = await withTimeout(START_MS_MAX, systemClock, bringUp(adb, file));
      return new ScrcpyServer(adb, process, video, control);
    } catch (error) {
      // Pending reads end with their connection.
      await adb.close();
      if (error instanceof DeviceFault) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new DeviceFault('unavailable', `scrcpy's server cannot be started on the device: ${plainLine(why)}`);
    }
  }

  /** Ends it; settles soon. */
  async close(): Promise<void> {
    await Promise.resolve(this.control.close()).catch(() => undefined);
    await Promise.race([this.ended, sleep(END_MS_MAX, undefined, { ref: false })]);
    await this.#process.kill();
    await this.#adb.close().catch(() => undefined);
  }
}

interface ServerProcess {
  readonly ended: Promise<string>;
  over: boolean;
  /** Told each line that it prints. */
  heard(line: string): void;
  kill(): Promise<void>;
}

async function bringUp(adb: Adb, file: ServerFile) {
  await push(adb, await readFile(file.path));
  // 31 bits: the server reads a signed number.
  const id = (randomBytes(4).readUInt32BE() & 0x7fffffff).toString(16).padStart(8, '0');
  const process = await startProcess(adb, serverCommand(file.version, id));
  const video = await connectVideo(adb, `localabstract:scrcpy_${id}`, process);
  return { process, video, control: await adb.createSocket(`localabstract:scrcpy_${id}`) };
}

async function push(adb: Adb, bytes: Uint8Array): Promise<void> {
  const file = new PushReadableStream<Uint8Array>(async (stream) => void (await stream.enqueue(bytes)));
  const sync = await adb.sync();
  try {
    await sync.write({ filename: DEVICE_PATH, file, permission: 0o644 });
  } finally {
    await sync.dispose();
  }
}

/**
 * The command that starts a server of this version (scrcpy, `server/.../Options.java`). The server removes its own file,
 * wakes the device, and leaves the clipboard alone.
 */
export const serverCommand = (version: string, id: string): readonly string[] => [
  `CLASSPATH=${DEVICE_PATH}`,
  'app_process',
  '/',
  'com.genymobile.scrcpy.Server',
  version,
  `scid=${id}`,
  'log_level=info',
  'audio=false',
  'video_codec=h264',
  `video_bit_rate=${BIT_RATE}`,
  `max_size=${VIDEO_EDGE_MAX}`,
  `max_fps=${FPS_MAX}`,
  'tunnel_forward=true',
  'clipboard_autosync=false',
  'cleanup=true',
];

async function startProcess(adb: Adb, words: readonly string[]): Promise<ServerProcess> {
  const { shellProtocol, noneProtocol } = adb.subprocess;
  let said = '';
  const hear = async (stream: ReadableStream<Uint8Array>) => {
    let line = '';
    for await (const piece of stream as AsyncIterable<Uint8Array>) {
      const lines = (line + Buffer.from(piece).toString('latin1')).split('\n');
      line = (lines.pop() ?? '').slice(-WORDS_MAX);
      for (const whole of lines) process.heard(whole);
      said = `${said}${lines.map((whole) => `${whole}\n`).join('')}`.slice(-WORDS_MAX);
    }
    said += line;
  };
  const running = await (shellProtocol ?? noneProtocol).spawn([commandLine(words)]);
  const streams = 'output' in running ? [running.output] : [running.stdout, running.stderr];
  const process: ServerProcess = {
    over: false,
    ended: Promise.allSettled(streams.map(hear)).then(() => {
      process.over = true;
      return complaint(said);
    }),
    heard: () => undefined,
    kill: async () => running.kill(),
  };
  running.exited.catch(() => undefined);
  return process;
}

/** Lines of a server that has nothing to complain about, or that goes on. */
const NO_COMPLAINT = /^\s*$|^\[server\] (?:VERBOSE|DEBUG|INFO|WARN):/;

/** The line in which the server says what is wrong, where there is one. */
function complaint(said: string): string {
  const lines = said.split('\n').filter((line) => !NO_COMPLAINT.test(line));
  const line =
    lines.find((text) => /does not match/i.test(text)) ?? lines.find((text) => /error|exception/i.test(text));
  const words = plainLine(line ?? lines.at(-1) ?? '');
  return words === '' ? "scrcpy's server ended" : `scrcpy's server ended: ${words}`;
}

/** The server sends a byte once it listens. A connection alone proves nothing, because adb accepts it either way. */
async function connectVideo(adb: Adb, service: string, process: ServerProcess): Promise<BufferedReadableStream> {
  while (!process.over) {
    const socket = await Promise.resolve(adb.createSocket(service)).catch(() => undefined);
    if (process.over) await socket?.close();
    const video = socket && new BufferedReadableStream(socket.readable);
    const first = await Promise.resolve(video?.readExactly(1)).catch(() => undefined);
    if (video && first) {
      if (first[0] === 0) return video;
      throw new DeviceFault('nonsense', "scrcpy's server does not begin its video as it should.");
    }
    await Promise.resolve(socket?.close()).catch(() => undefined);
    await sleep(TRY_AGAIN_MS);
  }
  throw new DeviceFault('unavailable', `${await process.ended}.`);
}

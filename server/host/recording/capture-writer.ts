import { Worker } from 'node:worker_threads';
import type { Sample, Track } from '../../capture/track.ts';
import { PendingCalls } from '../../link/pending-calls.ts';
import type { RecordingOrder } from '../../link/recording-messages.ts';
import type { FromWriter, ToWriter, WriterFailure, WriterTask } from './writer-messages.ts';

/** The files of one capture, for a thread that must not wait for the disk; see `CaptureFiles`. */
export interface CaptureSink {
  /** Settles when the samples, and that the recording has come to `untilUs`, have left the process. */
  write(samples: readonly Sample[], untilUs: number): Promise<void>;
  /** Settles when all writes are on the disk, with the size of the part file in bytes. */
  sync(): Promise<number>;
  finish(endUs: number): Promise<number>;
  close(): Promise<void>;
}

export type WriterThread = Pick<Worker, 'postMessage' | 'on' | 'ref' | 'unref'>;

interface Pending {
  readonly resolve: (value: number | undefined) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Writes captures on a dedicated thread, so that writes are not delayed by the device's thread, the encoders and the thread pool.
 * Started by the first recording; if it dies, its captures end, and the next recording starts a new one.
 */
export class CaptureWriter {
  readonly #spawn: () => WriterThread;
  #running: RunningWriter | undefined;
  #lastCapture = 0;

  constructor(spawn: () => WriterThread) {
    this.#spawn = spawn;
  }

  /** Starts the thread in advance, while the recording waits for its first picture. */
  warm(): void {
    this.#open();
  }

  /** Creates the files of a capture. This and all later calls reject with the system's or FFmpeg's error. */
  async create({ partFile, journalFile }: RecordingOrder, track: Track): Promise<CaptureSink> {
    const writer = this.#open();
    const capture = ++this.#lastCapture;
    const ask = (task: WriterTask, transfer?: ArrayBuffer[]) => writer.ask({ ...task, call: 0, capture }, transfer);
    const size = async (task: WriterTask) => (await ask(task)) ?? 0;
    await ask({ kind: 'create', order: { partFile, journalFile }, track });
    return {
      async write(samples, untilUs) {
        // Copied for the thread, since these bytes may be part of a viewer's packet.
        const sent = samples.map(({ atUs, key, data }) => ({ atUs, key, data: new Uint8Array(data) }));
        await ask(
          { kind: 'write', samples: sent, untilUs },
          sent.map(({ data }) => data.buffer),
        );
      },
      sync: () => size({ kind: 'sync' }),
      finish: (endUs) => size({ kind: 'finish', endUs }),
      async close() {
        // The files of an ended capture are closed, as are those of an ended thread.
        await ask({ kind: 'close' }).catch(() => undefined);
      },
    };
  }

  #open(): RunningWriter {
    if (!this.#running?.isAlive) this.#running = new RunningWriter(this.#spawn());
    return this.#running;
  }
}

class RunningWriter {
  readonly #thread: WriterThread;
  readonly #calls = new PendingCalls<Pending>(({ reject }, reason) => reject(new Error(reason)));

  constructor(thread: WriterThread) {
    this.#thread = thread;
    thread.on('message', (answer: FromWriter) => this.#receive(answer));
    thread.on('error', (error) => this.#calls.end(String(error)));
    thread.on('exit', (code) => this.#calls.end(`the writer ended with exit code ${code}`));
    // The thread keeps the process alive only while a call is pending.
    thread.unref();
  }

  get isAlive(): boolean {
    return this.#calls.endedReason === undefined;
  }

  ask(task: ToWriter, transfer: ArrayBuffer[] = []): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const call = this.#calls.begin({ resolve, reject });
      if (!this.isAlive) return;
      if (this.#calls.size === 1) this.#thread.ref();
      this.#thread.postMessage({ ...task, call }, transfer);
    });
  }

  #receive(answer: FromWriter): void {
    const pending = this.#calls.take(answer.call);
    if (this.#calls.size === 0) this.#thread.unref();
    if ('failure' in answer) pending?.reject(toError(answer.failure));
    else pending?.resolve(answer.value);
  }
}

const toError = ({ message, ...more }: WriterFailure): Error => Object.assign(new Error(message), more);

/** The instance of this thread. */
export const captureWriter = new CaptureWriter(() => new Worker(new URL('./writer-boot.mjs', import.meta.url)));

import type { AppPackage } from '../device/app-package.ts';
import type { Clock } from '../flow/clock.ts';
import type { Port } from './messages.ts';

/** What crosses to the thread that reads packages: the path of a file on this host. */
export interface PackageQuestion {
  readonly call: number;
  readonly path: string;
}

export type PackageAnswer =
  | { readonly kind: 'read'; readonly call: number; readonly read: ReadPackage }
  /** The package is at fault; the sentence is for its owner. */
  | { readonly kind: 'refused'; readonly call: number; readonly message: string }
  /** We are at fault; the words are for the log. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string };

export interface ReadPackage {
  /** SHA-256 of the file, 64 hex digits. */
  readonly checksum: string;
  readonly app: AppPackage;
}

/** The package is not what it should be. */
export class PackageRefused extends Error {}

type ReaderPort = Port<PackageQuestion, PackageAnswer>;

interface Job {
  readonly path: string;
  readonly byteSize: number;
  readonly resolve: (read: ReadPackage) => void;
  readonly reject: (error: Error) => void;
}

/** For what does not depend on the size: the largest tables and pictures take a second. */
const READ_MS_MAX = 20_000;
/** Slower than any disk that a service would run on. */
const HASHED_BYTES_PER_MS_MIN = 20_000;

/**
 * The gateway's side of the thread that reads uploaded packages. One package is read at a time, so that whichever makes
 * the thread hang or die is known; the thread is then started anew, and nobody else notices.
 */
export class PackageReader {
  readonly #spawn: () => ReaderPort;
  readonly #clock: Clock;
  readonly #waiting: Job[] = [];
  #port: ReaderPort | undefined;
  #running: { readonly job: Job; readonly call: number; readonly takeBack: () => void } | undefined;
  #lastCall = 0;
  #closed = false;

  constructor(spawn: () => ReaderPort, clock: Clock) {
    this.#spawn = spawn;
    this.#clock = clock;
  }

  /** Rejects with `PackageRefused` for a package that is unsound, or cannot be read in bounded time and memory. */
  read(path: string, byteSize: number): Promise<ReadPackage> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the package reader is closed'));
      this.#waiting.push({ path, byteSize, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; what was asked is rejected at once. Settles when the thread is gone. */
  close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the package reader was closed'));
    this.#end((job) => job.reject(new Error('the package reader was closed')));
    return this.#stop();
  }

  #next(): void {
    if (this.#running || this.#closed) return;
    const job = this.#waiting.shift();
    if (!job) return;
    const call = ++this.#lastCall;
    const limitMs = READ_MS_MAX + job.byteSize / HASHED_BYTES_PER_MS_MIN;
    const takeBack = this.#clock.schedule(limitMs, () => {
      void this.#stop();
      this.#end(({ reject }) => reject(new PackageRefused('The package takes too long to read.')));
    });
    this.#running = { job, call, takeBack };
    this.#port ??= this.#start();
    this.#port.send([{ call, path: job.path }], []);
  }

  #start(): ReaderPort {
    const port = this.#spawn();
    port.onReceive((batch) => {
      for (const answer of batch) if (port === this.#port) this.#receive(answer);
    });
    port.onClosed(() => {
      if (port !== this.#port) return;
      this.#port = undefined;
      this.#end(({ reject }) =>
        reject(new PackageRefused('The package cannot be read in the memory there is for it.')),
      );
    });
    return port;
  }

  #receive(answer: PackageAnswer): void {
    if (answer.call !== this.#running?.call) return;
    this.#end(({ resolve, reject }) => {
      if (answer.kind === 'read') resolve(answer.read);
      else reject(answer.kind === 'refused' ? new PackageRefused(answer.message) : new Error(answer.message));
    });
  }

  #end(settle: (job: Job) => void): void {
    const running = this.#running;
    this.#running = undefined;
    running?.takeBack();
    if (running) settle(running.job);
    this.#next();
  }

  #stop(): Promise<void> {
    const closed = this.#port?.close() ?? Promise.resolve();
    this.#port = undefined;
    return closed;
  }
}

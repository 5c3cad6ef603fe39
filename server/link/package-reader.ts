import type { Clock } from '../flow/clock.ts';
import { RoundRobinQueue } from '../flow/round-robin-queue.ts';
import type { PackageAnswer, PackageQuestion, ReadPackage } from './package-lines.ts';
import type { ProcessPort } from './process-port.ts';
import { type PackageJob, ReadingProcess } from './reading-process.ts';

export type { ReadPackage } from './package-lines.ts';

/** The package is invalid. */
export class PackageRefused extends Error {}

/** The package was not parsed in time without exceeding its processor time, or its process was lost: a retry may succeed. */
export class PackageLate extends Error {}

/** Packages that are parsed concurrently, each in its own process. */
const PROCESSES_MAX = 2;
/** Maximum concurrency of one account, so that a process is left for other accounts. */
const OF_ACCOUNT_MAX = 1;
/** After a failed start, no process is started in advance for this time. */
const SPARE_PAUSE_MS = 1_000;

export interface PackageReaderOptions {
  /** Starts a process that parses packages. */
  readonly spawn: () => ProcessPort<PackageQuestion, PackageAnswer>;
  readonly clock: Clock;
  /** Called, for the log, when a process ends while parsing, or cannot be started in advance. */
  readonly onCrash: (reason: string) => void;
}

/**
 * The gateway's side of the processes that parse uploaded packages. Each parses one package at a time, so that a package that
 * makes it hang or die is identified; a new process then replaces it. Accounts are served round robin.
 */
export class PackageReader {
  readonly #options: PackageReaderOptions;
  readonly #waiting = new RoundRobinQueue<PackageJob>();
  readonly #idle: ReadingProcess[] = [];
  readonly #busy = new Map<ReadingProcess, string>();
  /** Processes that are ending. */
  readonly #ending = new Set<Promise<void>>();
  /** Monotonic time before which no process is started in advance. */
  #spareFromMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: PackageReaderOptions) {
    this.#options = options;
  }

  /** Starts a process in advance if none is free and the limit allows it, for a package that is being uploaded. */
  warm(): void {
    this.#haveIdle();
  }

  /**
   * @param accountId owner of the package, for round-robin scheduling
   * @throws PackageRefused for a package that is invalid, or exceeds the limits of processor time and memory
   * @throws PackageLate for one that is not parsed after a multiple of that time, or whose process was lost with its launcher
   */
  read(accountId: string, path: string, byteSize: number): Promise<ReadPackage> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new Error('the package reader is closed'));
      const refuse = (message: string) => reject(new PackageRefused(message));
      const giveUp = () => reject(new PackageLate('the package was not read in time'));
      this.#waiting.push(accountId, { path, byteSize, resolve, refuse, giveUp, fail: (why) => reject(new Error(why)) });
      this.#next();
    });
  }

  /** Ends the processes and rejects pending calls at once. Settles when all have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { fail } of this.#waiting.clear()) fail('the package reader was closed');
    for (const reading of [...this.#idle.splice(0), ...this.#busy.keys()]) reading.end();
    await Promise.all(this.#ending);
  }

  #next(): void {
    while (!this.#closed && this.#busy.size < PROCESSES_MAX) {
      const running = [...this.#busy.values()];
      const may = (account: string) => running.filter((other) => other === account).length < OF_ACCOUNT_MAX;
      const next = this.#waiting.take(may);
      if (!next) break;
      let reading: ReadingProcess;
      try {
        reading = this.#idle.pop() ?? this.#start();
      } catch (error) {
        next.item.fail(notStarted(error));
        continue;
      }
      this.#busy.set(reading, next.holder);
      reading.read(next.item);
    }
    // While packages wait, another process is started in advance, so that the next account need not wait for its start.
    if (this.#busy.size > 0 && this.#waiting.size > 0) this.#haveIdle();
  }

  #haveIdle(): void {
    const started = this.#idle.length + this.#busy.size;
    if (this.#closed || this.#idle.length > 0 || started >= PROCESSES_MAX) return;
    if (this.#options.clock.monotonicMs() < this.#spareFromMs) return;
    try {
      this.#idle.push(this.#start());
    } catch (error) {
      // No package waits for this process.
      this.#options.onCrash(notStarted(error));
    }
  }

  /** Throws if the system cannot create another process; other failures are reported by the process itself. */
  #start(): ReadingProcess {
    const { clock, onCrash } = this.#options;
    const reading = new ReadingProcess(this.#spawn(), clock, {
      onCrash,
      onFree: () => {
        this.#busy.delete(reading);
        this.#idle.push(reading);
        this.#next();
      },
      onEnd: (gone, started) => {
        if (!started) this.#pauseSpares();
        this.#busy.delete(reading);
        const place = this.#idle.indexOf(reading);
        if (place >= 0) this.#idle.splice(place, 1);
        const ending = gone.then(() => void this.#ending.delete(ending));
        this.#ending.add(ending);
        this.#next();
      },
    });
    return reading;
  }

  #spawn(): ProcessPort<PackageQuestion, PackageAnswer> {
    try {
      return this.#options.spawn();
    } catch (error) {
      this.#pauseSpares();
      throw error;
    }
  }

  #pauseSpares(): void {
    this.#spareFromMs = this.#options.clock.monotonicMs() + SPARE_PAUSE_MS;
  }
}

const notStarted = (error: unknown): string => `the process that reads packages cannot be started: ${String(error)}`;

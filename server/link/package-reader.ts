import type { Clock } from '../flow/clock.ts';
import { RoundRobinQueue } from '../flow/round-robin-queue.ts';
import type { Port } from './messages.ts';
import type { PackageAnswer, PackageQuestion, ReadPackage } from './package-lines.ts';
import { type PackageJob, ReadingProcess } from './reading-process.ts';

export type { ReadPackage } from './package-lines.ts';

/** The package is not what it should be. */
export class PackageRefused extends Error {}

/** The package was not read in time, though it used no more of the processor than it may: another try may succeed. */
export class PackageLate extends Error {}

/** Packages that are read at the same time, each in a process of its own. */
const PROCESSES_MAX = 2;
/** Of those, packages of one account: however slow they are, there is always a process for somebody else's. */
const OF_ACCOUNT_MAX = 1;
/** Where one has not started, another would not either: none is started ahead for this long. */
const SPARE_PAUSE_MS = 1_000;

export interface PackageReaderOptions {
  /** Starts a process that reads packages. */
  readonly spawn: () => Port<PackageQuestion, PackageAnswer>;
  readonly clock: Clock;
  /** Told of a process that ended over a package, or could not be started ahead of one, for the log. */
  readonly onCrash: (reason: string) => void;
}

/**
 * The gateway's side of the processes that read uploaded packages. Each reads one package at a time, so that whichever
 * makes it hang or die is known; a new process then takes its place, and nobody else notices. Accounts take turns.
 */
export class PackageReader {
  readonly #options: PackageReaderOptions;
  readonly #waiting = new RoundRobinQueue<PackageJob>();
  readonly #idle: ReadingProcess[] = [];
  readonly #busy = new Map<ReadingProcess, string>();
  /** Processes that are ending. */
  readonly #ending = new Set<Promise<void>>();
  /** By the monotonic clock: before this, no process is started that no package waits for. */
  #spareFromMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: PackageReaderOptions) {
    this.#options = options;
  }

  /** Sees to it that a process is free, if there may be another, so that a package that is on its way need not wait for it. */
  warm(): void {
    this.#haveIdle();
  }

  /**
   * @param accountId whose package it is: one account's wait for each other, and for nobody else's longer than a turn
   * @throws PackageRefused for a package that is unsound, or cannot be read in bounded processor time and memory
   * @throws PackageLate for one that is not read after many times that time
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

  /** Ends the processes; what was asked is rejected at once. Settles when they are gone. */
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
    // While some wait, another process starts ahead, so that the next account need not wait for that too.
    if (this.#busy.size > 0 && this.#waiting.size > 0) this.#haveIdle();
  }

  #haveIdle(): void {
    const started = this.#idle.length + this.#busy.size;
    if (this.#closed || this.#idle.length > 0 || started >= PROCESSES_MAX) return;
    if (this.#options.clock.monotonicMs() < this.#spareFromMs) return;
    try {
      this.#idle.push(this.#start());
    } catch (error) {
      // Nobody waits for this one.
      this.#options.onCrash(notStarted(error));
    }
  }

  /** Throws where the system has no room for another process; of other reasons the process itself tells. */
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

  #spawn(): Port<PackageQuestion, PackageAnswer> {
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

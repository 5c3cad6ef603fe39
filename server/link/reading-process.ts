import type { Clock } from '../flow/clock.ts';
import { Watchdog } from '../flow/watchdog.ts';
import type { Port } from './messages.ts';
import type { PackageAnswer, PackageQuestion, ReadPackage } from './package-lines.ts';
import { PendingCalls } from './pending-calls.ts';

/** A package to read, and who waits for it. */
export interface PackageJob {
  readonly path: string;
  readonly byteSize: number;
  resolve(read: ReadPackage): void;
  /** The package is at fault. */
  refuse(message: string): void;
  /** Nobody is at fault as far as can be told: it took too long by the clock. */
  giveUp(): void;
  /** We are at fault; the words are for the log. */
  fail(message: string): void;
}

/** A process that takes longer to start will not: a busy machine needs some seconds. */
const START_MS_MAX = 60_000;
/** Processor time for what does not depend on the size: the largest tables and pictures take a second. */
const CPU_MS_MAX = 2_000;
/** Any processor unpacks, searches and hashes faster. */
const BYTES_PER_MS_MIN = 20_000;
/**
 * The process counts its own processor time, and refuses what takes too much. One that hangs instead is given up after
 * this many times as long, and not before a minute: how busy the machine is with other things is no fault of the package.
 */
const WAIT_PER_CPU = 5;
const WAIT_MS_MIN = 60_000;
/** A process with nothing to do costs memory; one that has to start costs half a second. */
const IDLE_MS_MAX = 60_000;

export interface ReadingProcessEvents {
  /** It ended over a package, or was ended; the words are for the log. */
  onCrash(reason: string): void;
  /** It is free for the next package. */
  onFree(): void;
  /** It is not to be asked any more; told once. `gone` settles when nothing is left of it; `started`: it was ready once. */
  onEnd(gone: Promise<void>, started: boolean): void;
}

/** The gateway's side of one process that reads packages, one after the other. */
export class ReadingProcess {
  readonly #port: Port<PackageQuestion, PackageAnswer>;
  readonly #limit: Watchdog;
  readonly #events: ReadingProcessEvents;
  readonly #calls = new PendingCalls<PackageJob>((job, reason) => job.fail(reason));
  /** The newest call: there is one at a time. */
  #call = 0;
  #ready = false;

  /** @param port to a process that was just started */
  constructor(port: Port<PackageQuestion, PackageAnswer>, clock: Clock, events: ReadingProcessEvents) {
    this.#port = port;
    this.#limit = new Watchdog(clock);
    this.#events = events;
    this.#limit.set(START_MS_MAX, () => this.#end('the process that reads packages does not start'));
    port.onReceive((batch) => {
      for (const answer of batch) this.#receive(answer);
    });
    port.onClosed((reason) => this.#closed(reason));
  }

  /** Reads one package. Not to be called before the last one is answered. */
  read(job: PackageJob): void {
    this.#call = this.#calls.begin(job);
    // The time until the process is ready does not count for the package.
    if (this.#ready) this.#ask(job);
  }

  end(): void {
    this.#end('the package reader was closed');
  }

  #ask({ path, byteSize }: PackageJob): void {
    const cpuMsMax = CPU_MS_MAX + Math.ceil(byteSize / BYTES_PER_MS_MIN);
    const waitMs = Math.max(cpuMsMax * WAIT_PER_CPU, WAIT_MS_MIN);
    this.#limit.set(waitMs, () => {
      const reason = `it does not answer after ${waitMs} ms`;
      this.#events.onCrash(reason);
      this.#calls.take(this.#call)?.giveUp();
      this.#end(reason);
    });
    this.#port.send([{ call: this.#call, path, cpuMsMax }], []);
  }

  #receive(answer: PackageAnswer): void {
    if (this.#calls.endedReason !== undefined) return;
    if (answer.kind === 'ready') {
      // It says so before it sees a package, and the wait for one does not begin again.
      if (this.#ready) return this.#closed('it said twice that it is ready');
      this.#ready = true;
      const job = this.#calls.get(this.#call);
      return job ? this.#ask(job) : this.#rest();
    }
    const job = this.#calls.take(answer.call);
    if (!job) return;
    if (!answer.last) this.#rest();
    if (answer.kind === 'read') job.resolve(answer.read);
    else if (answer.kind === 'refused') job.refuse(answer.message);
    else job.fail(answer.message);
    if (answer.last) this.#end('it has read enough');
    else this.#events.onFree();
  }

  #rest(): void {
    this.#limit.set(IDLE_MS_MAX, () => this.end());
  }

  #closed(reason: string): void {
    if (!this.#ready) return this.#end(`the process that reads packages did not start: ${reason}`);
    const job = this.#calls.take(this.#call);
    if (job) {
      this.#events.onCrash(reason);
      job.refuse('The package cannot be read: what is in it ended the program that reads it.');
    }
    this.#end(reason);
  }

  /** Fails what it still has to answer. */
  #end(reason: string): void {
    if (this.#calls.endedReason !== undefined) return;
    this.#limit.clear();
    this.#calls.end(reason);
    this.#events.onEnd(this.#port.close(), this.#ready);
  }
}

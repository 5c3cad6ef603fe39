import type { Clock } from '../flow/clock.ts';
import { Watchdog } from '../flow/watchdog.ts';
import type { PackageAnswer, PackageQuestion, ReadPackage } from './package-lines.ts';
import { PendingCalls } from './pending-calls.ts';
import type { ProcessPort } from './process-port.ts';

/** A package to parse, and its caller. */
export interface PackageJob {
  readonly path: string;
  readonly byteSize: number;
  resolve(read: ReadPackage): void;
  /** The package is invalid. */
  refuse(message: string): void;
  /** It took too long by the clock, or the process was lost with its launcher: the package is not known to be the cause. */
  giveUp(): void;
  /** An internal error; the details are for the log. */
  fail(message: string): void;
}

/** Time limit of a start; a busy machine needs some seconds. */
const START_MS_MAX = 60_000;
/** Processor time independent of the size: the largest tables and pictures take a second. */
const CPU_MS_MAX = 2_000;
/** Minimum throughput, in bytes per millisecond of processor time, of unpacking, searching and hashing. */
const BYTES_PER_MS_MIN = 20_000;
/**
 * The process measures its own processor time and refuses a package that exceeds it. If it hangs instead, it is killed after this
 * multiple of the time, and at least a minute, since a slow machine is not the package's fault.
 */
const WAIT_PER_CPU = 5;
const WAIT_MS_MIN = 60_000;
/** Idle timeout: an idle process costs memory, a start costs half a second. */
const IDLE_MS_MAX = 60_000;

export interface ReadingProcessEvents {
  /** It ended or was killed while parsing a package; the details are for the log. */
  onCrash(reason: string): void;
  /** It is free for the next package. */
  onFree(): void;
  /** The process accepts no more calls; called once. `gone` settles when it has ended; `started`: it was ready before. */
  onEnd(gone: Promise<void>, started: boolean): void;
}

/** The gateway's side of one process that parses packages, one at a time. */
export class ReadingProcess {
  readonly #port: ProcessPort<PackageQuestion, PackageAnswer>;
  readonly #limit: Watchdog;
  readonly #events: ReadingProcessEvents;
  readonly #calls = new PendingCalls<PackageJob>((job, reason) => job.fail(reason));
  /** The current call; there is one at a time. */
  #call = 0;
  #ready = false;

  /** @param port connection to a process that was just started */
  constructor(port: ProcessPort<PackageQuestion, PackageAnswer>, clock: Clock, events: ReadingProcessEvents) {
    this.#port = port;
    this.#limit = new Watchdog(clock);
    this.#events = events;
    this.#limit.set(START_MS_MAX, () => this.#end('the process that reads packages does not start'));
    port.onReceive((batch) => {
      for (const answer of batch) this.#receive(answer);
    });
    port.onClosed((reason, lost) => (lost ? this.#lost(reason) : this.#closed(reason)));
  }

  /** Parses one package. Must not be called before the previous one is answered. */
  read(job: PackageJob): void {
    this.#call = this.#calls.begin(job);
    // The start of the process does not count towards the package's time.
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
      // A process sends `ready` once, before its first package.
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

  #lost(reason: string): void {
    this.#calls.take(this.#call)?.giveUp();
    this.#end(reason);
  }

  /** Fails the pending call. */
  #end(reason: string): void {
    if (this.#calls.endedReason !== undefined) return;
    this.#limit.clear();
    this.#calls.end(reason);
    this.#events.onEnd(this.#port.close(), this.#ready);
  }
}

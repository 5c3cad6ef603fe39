import type { ChildProcess } from 'node:child_process';
import type { Clock } from '../flow/clock.ts';
import { Watchdog } from '../flow/watchdog.ts';
import type { PipedProcess, ProcessEnd } from './process-port.ts';

/** A program with its parameters, and its whole environment. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** From the service to its launcher. The service numbers the processes and uses no number twice. */
type Order =
  | ({ readonly kind: 'start'; readonly id: number } & Command)
  | { readonly kind: 'write'; readonly id: number; readonly text: string }
  /** Kills the process group. */
  | { readonly kind: 'kill'; readonly id: number }
  /** Kills all processes and ends the launcher. */
  | { readonly kind: 'end' };

type Report =
  | { readonly kind: 'text'; readonly id: number; readonly text: string }
  /** The process has ended and all of its text was reported, or it could not be started. */
  | { readonly kind: 'ended'; readonly id: number; readonly reason: string };

export interface ProcessLauncherOptions {
  /** Starts the launcher, with an IPC channel; throws if the system cannot create a process. */
  readonly launch: () => ChildProcess;
  /** Kills the launcher and its process group at once. */
  readonly kill: (launcher: ChildProcess) => void;
  readonly clock: Clock;
  /** Called, for the log, when a launcher has ended that was not closed, or could not be started. */
  readonly onLost: (reason: string) => void;
}

/** Time limit for the launcher to carry out a kill, and to end when it is told to; then it is killed itself. */
const OBEY_MS_MAX = 10_000;

/**
 * Starts processes through a small process of its own, the launcher, because a fork stops the event loop for as long as it
 * takes to copy the page tables of the service. A launcher that has ended is replaced at the next start.
 */
export class ProcessLauncher {
  readonly #options: ProcessLauncherOptions;
  readonly #launched = new Set<Launched>();
  #closed = false;

  /** Starts the launcher: create it while the service is small and serves nobody. */
  constructor(options: ProcessLauncherOptions) {
    this.#options = options;
    try {
      this.#launch();
    } catch (error) {
      // The next start tries again.
      options.onLost(String(error));
    }
  }

  /** Throws if a launcher is needed and cannot be started; other failures are reported as the end of the process. */
  start(command: Command): PipedProcess {
    if (this.#closed) throw new Error('the launcher was closed');
    const launched = [...this.#launched].find(({ connected }) => connected) ?? this.#launch();
    return launched.start(command);
  }

  /** Ends the launcher and its processes. Settles when the launcher has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#launched].map((launched) => launched.close()));
  }

  #launch(): Launched {
    const launched = new Launched(this.#options);
    this.#launched.add(launched);
    void launched.gone.then((reason) => {
      this.#launched.delete(launched);
      if (!this.#closed) this.#options.onLost(reason);
    });
    return launched;
  }
}

interface Running {
  hear(text: string): void;
  end(end: ProcessEnd): void;
}

/** One launcher, until its end. */
class Launched {
  /** Settles with the reason when the launcher has ended. */
  readonly gone: Promise<string>;
  readonly #options: ProcessLauncherOptions;
  readonly #child: ChildProcess;
  readonly #running = new Map<number, Running>();
  readonly #impatience: Watchdog;
  #lastId = 0;
  #ended = false;

  constructor(options: ProcessLauncherOptions) {
    this.#options = options;
    const child = options.launch();
    this.#child = child;
    this.#impatience = new Watchdog(options.clock);
    child.on('message', (report) => this.#receive(report as Report));
    this.gone = new Promise((resolve) => {
      const ended = (reason: string) => {
        this.#ended = true;
        this.#impatience.clear();
        // First, so that the log has the cause before its effects.
        resolve(reason);
        for (const running of this.#running.values())
          running.end({ reason: `its launcher ended: ${reason}`, lost: true });
        this.#running.clear();
      };
      child.on('error', (error) => ended(error.message));
      // Only after all of its reports are read.
      child.once('close', (code, signal) => ended(signal ? `ended by ${signal}` : `exit code ${code}`));
    });
  }

  /** It takes orders; a program that could not be started may have a channel all the same. */
  get connected(): boolean {
    return !this.#ended && this.#child.connected;
  }

  start(command: Command): PipedProcess {
    const id = ++this.#lastId;
    const impatience = new Watchdog(this.#options.clock);
    let hear: (text: string) => void = () => undefined;
    const ended = new Promise<ProcessEnd>((resolve) => {
      const end = (how: ProcessEnd) => {
        impatience.clear();
        resolve(how);
      };
      this.#running.set(id, { hear: (text) => hear(text), end });
    });
    this.#order({ kind: 'start', id, ...command });
    return {
      write: (text) => this.#order({ kind: 'write', id, text }),
      onText: (listener) => {
        hear = listener;
      },
      ended,
      kill: () => {
        if (!this.#running.has(id)) return;
        this.#order({ kind: 'kill', id });
        impatience.set(OBEY_MS_MAX, () => this.#options.kill(this.#child));
      },
    };
  }

  async close(): Promise<void> {
    // An end of the channel would do as well, but Node.js emits no `close` after its own `disconnect`.
    this.#order({ kind: 'end' });
    if (!this.#ended) this.#impatience.set(OBEY_MS_MAX, () => this.#options.kill(this.#child));
    await this.gone;
  }

  #order(order: Order): void {
    // An order that no longer arrives needs no answer: the end of the launcher is the end of the process.
    if (this.connected) this.#child.send(order, () => undefined);
  }

  #receive(report: Report): void {
    const running = this.#running.get(report.id);
    if (report.kind === 'text') return running?.hear(report.text);
    this.#running.delete(report.id);
    running?.end({ reason: report.reason });
  }
}

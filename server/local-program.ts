import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';

export interface LocalCommand extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
  readonly file: string;
  readonly args: readonly string[];
}

export interface LocalProgramOptions {
  /** For people. */
  readonly name: string;
  /** What it says on its standard error when it serves. */
  readonly readyText: string;
  readonly startedMsMax: number;
}

const LOG_KEPT = 4_000;

/** A server program of others that runs on this machine to try a fleet. */
export class LocalProgram {
  readonly #options: LocalProgramOptions;
  #child: ChildProcess | undefined;

  constructor(options: LocalProgramOptions) {
    this.#options = options;
  }

  /** The running process. */
  get process(): ChildProcess {
    if (!this.#child) throw new Error(`${this.#options.name} does not run`);
    return this.#child;
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  /** Resolves when it serves; rejects, with what it said, when it ends or takes too long. */
  async start({ file, args, ...more }: LocalCommand): Promise<void> {
    const { name, readyText, startedMsMax } = this.#options;
    const child = spawn(file, args, { ...more, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        reject(new Error(`${name} does not start: ${log}`));
      };
      const timer = setTimeout(fail, startedMsMax);
      child.once('exit', fail);
      child.once('error', fail);
      child.stderr?.on('data', (piece) => {
        log = `${log}${piece}`.slice(-LOG_KEPT);
        if (!log.includes(readyText)) return;
        clearTimeout(timer);
        child.off('exit', fail);
        resolve();
      });
    });
  }

  /** Resolves when it has ended. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    const running = this.#child;
    this.#child = undefined;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }
}

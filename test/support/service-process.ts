import { steadyPort } from '../../server/local-nats.ts';
import type { Environment } from '../../server/settings.ts';
import { Program } from './server-process.ts';

/** Ports that may be taken, before one that is not. */
const TRIES_MAX = 10;

/** A service in a process of its own that is killed, and started again with the same data, on the same port. */
export class ServiceProcess {
  readonly #environment: Environment;
  #program: Program | undefined;

  private constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** @param environment all of it but the port, for a role that has one */
  static async start(environment: Environment): Promise<ServiceProcess> {
    if (environment.RUNCLOUD_ROLE === 'host') return ServiceProcess.#start(environment);
    for (let tries = 1; ; tries++) {
      try {
        return await ServiceProcess.#start({ ...environment, RUNCLOUD_PORT: String(steadyPort()) });
      } catch (error) {
        if (tries === TRIES_MAX || !/cannot listen/.test(String(error))) throw error;
      }
    }
  }

  static async #start(environment: Environment): Promise<ServiceProcess> {
    const started = new ServiceProcess(environment);
    await started.start();
    return started;
  }

  /** Where it listens. */
  get url(): string {
    return `http://127.0.0.1:${this.#environment.RUNCLOUD_PORT}`;
  }

  /** Of the process that runs now, or ran last. */
  get pid(): number {
    return this.#program?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.#program = new Program('main', [], this.#environment);
    await this.#program.ready();
  }

  signal(signal: NodeJS.Signals): void {
    this.#program?.signal(signal);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#program?.signal(signal);
    await this.#program?.ended;
  }
}

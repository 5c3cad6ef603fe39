import { type AddressInfo, createServer } from 'node:net';
import type { Environment } from '../../server/settings.ts';
import { Program } from './server-process.ts';

/** A port of the loopback that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A service in a process of its own that is killed, and started again with the same data, on the same port. */
export class ServiceProcess {
  readonly #environment: Environment;
  #program: Program | undefined;

  private constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** @param environment all of it but the port, for a role that has one */
  static async start(environment: Environment): Promise<ServiceProcess> {
    const hasPort = environment.RUNCLOUD_ROLE !== 'host';
    const port = hasPort ? { RUNCLOUD_PORT: String(await freePort()) } : {};
    const started = new ServiceProcess({ ...environment, ...port });
    await started.start();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#environment.RUNCLOUD_PORT}`;
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

import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import type { Environment } from '../../server/settings.ts';

const STARTED_MS_MAX = 60_000;

/** A port of the loopback that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A service in a process of its own, which can be killed, stopped and started again on its port. */
export class ServiceProcess {
  readonly #environment: Environment;
  #child: ChildProcess | undefined;

  private constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** @param environment all of it but the port, for a role that has one */
  static async start(environment: Environment): Promise<ServiceProcess> {
    const hasPort = environment.RUNCLOUD_ROLE !== 'host';
    const started = new ServiceProcess({
      ...environment,
      ...(hasPort && { RUNCLOUD_PORT: String(await freePort()) }),
    });
    await started.start();
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#environment.RUNCLOUD_PORT}`;
  }

  async start(): Promise<void> {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(process.execPath, ['server/run.mjs', 'main'], {
      env: { PATH, HOME, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    let log = '';
    child.stderr?.on('data', (piece) => {
      log = `${log}${piece}`.slice(-4_000);
    });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`it does not start: ${log}`)), STARTED_MS_MAX);
      child.stdout?.on('data', (piece) => {
        if (!/RunCloud/.test(String(piece))) return;
        clearTimeout(timer);
        resolve();
      });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${log}`)));
    });
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

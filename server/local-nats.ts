import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsUser, natsConfigOf, natsUrlOf } from './fleet/nats-users.ts';
import { type LocalCommand, LocalProgram } from './local-program.ts';

const STARTED_MS_MAX = 20_000;
/** Ports that may be taken, before one that is not. */
const TRIES_MAX = 10;

/**
 * A port that the system does not give to who asks for any (Linux, macOS and IANA's range begin above): what is started again on it finds it
 * free. It may be taken by who asks for this very one.
 */
export const steadyPort = (): number => randomInt(10_000, 32_768);

/** Debian's `nats-server`, unprivileged, on a port of the loopback, to try a fleet on one machine. */
export class LocalNats {
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-nats-'));
  readonly #through: (command: LocalCommand) => LocalCommand;
  readonly #program = new LocalProgram({
    name: 'nats-server',
    readyText: 'Server is ready',
    startedMsMax: STARTED_MS_MAX,
  });
  /** 0 until it has started once. */
  #port = 0;

  static isInstalled(): boolean {
    return !spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).error;
  }

  /** @param through changes the command that starts it */
  static async start(
    users: readonly NatsUser[],
    through: (command: LocalCommand) => LocalCommand = (command) => command,
  ): Promise<LocalNats> {
    const nats = new LocalNats(through);
    nats.configure(users);
    await nats.start();
    return nats;
  }

  private constructor(through: (command: LocalCommand) => LocalCommand) {
    this.#through = through;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** The running process. */
  get process(): ChildProcess {
    return this.#program.process;
  }

  /** What a process connects to as this user. */
  urlOf(user: NatsUser): string {
    return natsUrlOf(user, this.address);
  }

  /** Replaces the users; a running server takes them at once. */
  configure(users: readonly NatsUser[]): void {
    writeFileSync(this.#config, natsConfigOf(users), { mode: 0o600 });
    if (this.#program.isRunning) this.#program.process.kill('SIGHUP');
  }

  /** Starts it, again on the port that it had. */
  async start(): Promise<void> {
    if (this.#port !== 0) return this.#startOn(this.#port);
    let failure: unknown;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      try {
        const port = steadyPort();
        await this.#startOn(port);
        this.#port = port;
        return;
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  async #startOn(port: number): Promise<void> {
    const args = ['-a', '127.0.0.1', '-p', String(port), '-c', this.#config];
    await this.#program.start(this.#through({ file: 'nats-server', args }));
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.#program.stop(signal);
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#folder, 'nats.conf');
  }
}

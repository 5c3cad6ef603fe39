import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsUser, natsConfigOf, SERVER_PLACE } from '../../server/fleet/nats-users.ts';

/** Debian's `nats-server`, unprivileged, on a free port of the loopback, with the users that a fleet's operator gives it. */

const STARTED_MS_MAX = 20_000;

/** Why tests with NATS are skipped; `false` where it is installed. */
export function withoutNats(): string | false {
  try {
    execFileSync('nats-server', ['--version'], { stdio: 'ignore' });
    return false;
  } catch {
    return 'nats-server is not installed';
  }
}

export class NatsServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-nats-'));
  #process: ChildProcess | undefined;
  /** 0 until it has started once. */
  #port = 0;

  static async start(users: readonly NatsUser[]): Promise<NatsServer> {
    const server = new NatsServer();
    server.configure(users);
    await server.start();
    return server;
  }

  /** What a process connects to as this user. */
  urlOf({ environment }: NatsUser): string {
    return (environment.RUNCLOUD_NATS_URL ?? '').replace(SERVER_PLACE, `127.0.0.1:${this.#port}`);
  }

  get port(): number {
    return this.#port;
  }

  /** Replaces the users; a running server takes them at once. */
  configure(users: readonly NatsUser[]): void {
    const lines = users.map((user) => `  ${natsConfigOf(user)}\n`).join('');
    writeFileSync(this.#config, `authorization { users = [\n${lines}] }\n`);
    this.#process?.kill('SIGHUP');
  }

  /** Starts it, again on the port that it had. */
  async start(): Promise<void> {
    const port = this.#port === 0 ? '-1' : String(this.#port);
    const args = ['-a', '127.0.0.1', '-p', port, '-c', this.#config, '--ports_file_dir', this.#folder];
    this.#process = spawn('nats-server', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let log = '';
    this.#process.stderr?.on('data', (piece) => {
      log += piece;
    });
    for (const end = Date.now() + STARTED_MS_MAX; Date.now() < end; await sleep(20)) {
      if (this.#process.exitCode !== null) break;
      const [file] = readdirSync(this.#folder).filter((name) => name.endsWith(`${this.#process?.pid}.ports`));
      if (!file || !log.includes('Server is ready')) continue;
      // It may be there before it is written.
      const [, found] = /nats:\/\/[^:"]+:(\d+)"/.exec(readFileSync(join(this.#folder, file), 'utf8')) ?? [];
      if (found === undefined) continue;
      this.#port = Number(found);
      return;
    }
    throw new Error(`nats-server does not start: ${log}`);
  }

  /** @param signal `SIGKILL` as in a crash, `SIGSTOP` and `SIGCONT` as of a machine that stands still */
  signal(signal: NodeJS.Signals): void {
    this.#process?.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #config(): string {
    return join(this.#folder, 'nats.conf');
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

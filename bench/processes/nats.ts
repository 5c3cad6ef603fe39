import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsUser, natsConfigOf, SERVER_PLACE } from '../../server/fleet/nats-users.ts';
import { pinned } from './pin.ts';

const READY_MS_MAX = 20_000;

export const natsInstalled = (): boolean => !spawnSync('nats-server', ['--version'], { stdio: 'ignore' }).error;

/** Debian's `nats-server` on a free port of the loopback, bound to a core as the servers between which it stands are. */
export class Nats {
  readonly #process: ChildProcess;
  readonly #folder: string;
  #port = 0;

  private constructor(child: ChildProcess, folder: string) {
    this.#process = child;
    this.#folder = folder;
  }

  static async start(users: readonly NatsUser[], core: number): Promise<Nats> {
    const folder = mkdtempSync(join(tmpdir(), 'runcloud-bench-nats-'));
    const config = join(folder, 'nats.conf');
    const lines = users.map((user) => `  ${natsConfigOf(user)}\n`).join('');
    writeFileSync(config, `authorization { users = [\n${lines}] }\n`);
    const args = ['-a', '127.0.0.1', '-p', '-1', '-c', config, '--ports_file_dir', folder];
    const command = pinned({ file: 'nats-server', args }, core);
    const nats = new Nats(spawn(command.file, command.args, { stdio: 'ignore' }), folder);
    process.once('exit', () => nats.#process.kill('SIGKILL'));
    for (const end = Date.now() + READY_MS_MAX; Date.now() < end; ) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const file = readdirSync(folder).find((name) => name.endsWith('.ports'));
      if (!file) continue;
      // It may be there before it is written.
      const [, port] = /nats:\/\/[^:"]+:(\d+)"/.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      if (port === undefined) continue;
      nats.#port = Number(port);
      return nats;
    }
    await nats.stop();
    throw new Error(`nats-server is not ready after ${READY_MS_MAX} ms`);
  }

  /** What a process connects to as this user. */
  urlOf({ environment }: NatsUser): string {
    return (environment.RUNCLOUD_NATS_URL ?? '').replace(SERVER_PLACE, `127.0.0.1:${this.#port}`);
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      const ended = new Promise((resolve) => this.#process.once('exit', resolve));
      this.#process.kill('SIGTERM');
      await ended;
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

import { type ChildProcess, execFileSync, type SpawnOptions, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBase62 } from '@runcloud/protocol/terms';
import { steadyPort } from './local-nats.ts';
import { LocalProgram } from './local-program.ts';

/** Where Debian has the programs of its versions: outside of `PATH`. */
const DEBIAN = '/usr/lib/postgresql';
const USER = 'runcloud';
const PASSWORD_CHARACTERS = 32;
const STARTED_MS_MAX = 60_000;
const RETRY_MS = 200;

/** The folder of the newest installed version; empty for that of `PATH`. */
function findPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).map(Number).filter(Number.isInteger) : [];
  const newest = versions.sort((one, other) => other - one)[0];
  if (newest !== undefined) return join(DEBIAN, String(newest), 'bin');
  return spawnSync('initdb', ['--version'], { stdio: 'ignore' }).error ? undefined : '';
}

/** PostgreSQL refuses to run as root: then it runs as Debian's user for it. */
function unprivileged(): Pick<SpawnOptions, 'uid' | 'gid'> {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** PostgreSQL with an empty database, unprivileged, on a port of the loopback, to try a fleet on one machine. */
export class LocalPostgres {
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-postgres-'));
  readonly #programs = findPrograms() ?? '';
  readonly #as = unprivileged();
  readonly #port = steadyPort();
  readonly #password = randomBase62(PASSWORD_CHARACTERS);
  readonly #program = new LocalProgram({
    name: 'PostgreSQL',
    readyText: 'ready to accept connections',
    startedMsMax: STARTED_MS_MAX,
  });

  static isInstalled(): boolean {
    return findPrograms() !== undefined;
  }

  static async start(): Promise<LocalPostgres> {
    const postgres = new LocalPostgres();
    postgres.#initialize();
    await postgres.start();
    return postgres;
  }

  private constructor() {}

  get url(): string {
    return `postgres://${USER}:${this.#password}@127.0.0.1:${this.#port}/postgres`;
  }

  get isRunning(): boolean {
    return this.#program.isRunning;
  }

  /** The running process. */
  get process(): ChildProcess {
    return this.#program.process;
  }

  /** Starts it, again with the data that it had. */
  async start(): Promise<void> {
    for (const end = Date.now() + STARTED_MS_MAX; ; ) {
      try {
        return await this.#startOnce();
      } catch (error) {
        // Processes of a server that was killed may have to end first.
        if (Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** @param signal SIGQUIT ends it as a crash does; SIGINT lets it finish */
  async stop(signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    await this.#program.stop(signal);
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  #initialize(): void {
    const passwordFile = join(this.#folder, 'password');
    writeFileSync(passwordFile, this.#password, { mode: 0o600 });
    const { uid, gid } = this.#as;
    if (uid !== undefined && gid !== undefined) {
      for (const path of [this.#folder, passwordFile]) chownSync(path, uid, gid);
    }
    const options = ['-D', this.#data, '-U', USER, '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '-N'];
    execFileSync(join(this.#programs, 'initdb'), [...options, '--locale=C'], {
      ...this.#as,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    rmSync(passwordFile);
  }

  async #startOnce(): Promise<void> {
    const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    await this.#program.start({
      file: join(this.#programs, 'postgres'),
      args: ['-D', this.#data, '-p', String(this.#port), ...settings],
      ...this.#as,
      cwd: this.#folder,
    });
  }
}

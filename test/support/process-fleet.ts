import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeUser, hostUser } from '../../server/fleet/nats-users.ts';
import { fleetKeyOf } from '../../server/fleet-key.ts';
import { LocalNats } from '../../server/local-nats.ts';
import { LocalPostgres } from '../../server/local-postgres.ts';
import type { Environment } from '../../server/settings.ts';
import { met, ofRole } from './fleet.ts';
import { ServiceProcess } from './service-process.ts';

/** Reads lines of process ids until there are no more, and then kills those of the last line. */
const GUARD = 'while read -r line; do pids=$line; done; [ -z "$pids" ] || kill -9 $pids';
const TELL_GUARD_MS = 500;

export interface ProcessFleetSize {
  readonly edges: number;
  readonly hosts: number;
}

/** A fleet as it runs on many machines: each edge, each host, and each server between them is a process that can be killed. */
export class ProcessFleet {
  readonly edges: ServiceProcess[] = [];
  readonly hosts: ServiceProcess[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-fleet-'));
  #nats: LocalNats | undefined;
  #postgres: LocalPostgres | undefined;

  /** Ends all processes if this one ends first, in whatever way. */
  readonly #guard = spawn('sh', ['-c', GUARD], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });

  readonly #telling = setInterval(() => this.#tellGuard(), TELL_GUARD_MS);

  private constructor() {
    this.#guard.stdin.on('error', () => undefined);
    this.#telling.unref();
  }

  /**
   * Resolves when every edge knows every host.
   * @param environment each process gets what its role takes; `RUNCLOUD_API_KEY` is needed
   */
  static async start(environment: Environment, size: ProcessFleetSize): Promise<ProcessFleet> {
    const fleet = new ProcessFleet();
    try {
      await fleet.#start(environment, size);
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  async #start(environment: Environment, { edges, hosts }: ProcessFleetSize): Promise<void> {
    const edgeDir = (index: number) => join(this.#folder, `edge-${index + 1}`);
    const key = fleetKeyOf(edgeDir(0));
    const edge = edgeUser();
    const names = Array.from({ length: hosts }, (_, index) => `host-${index + 1}`);
    const users = names.map((name) => hostUser(name, key));
    const nats = await LocalNats.start([edge, ...users]);
    this.#nats = nats;
    const postgres = edges > 1 ? await LocalPostgres.start() : undefined;
    this.#postgres = postgres;
    for (const user of users) {
      const host = await ServiceProcess.start({
        ...ofRole(environment, 'host'),
        ...user.environment,
        RUNCLOUD_NATS_URL: nats.urlOf(user),
        RUNCLOUD_DATA_DIR: join(this.#folder, user.user),
      });
      this.hosts.push(host);
      this.#tellGuard();
    }
    for (let index = 0; index < edges; index++) {
      const started = await ServiceProcess.start({
        ...ofRole({ ...environment, RUNCLOUD_DATABASE_URL: postgres?.url }, 'edge'),
        ...edge.environment,
        RUNCLOUD_NATS_URL: nats.urlOf(edge),
        RUNCLOUD_DATA_DIR: edgeDir(index),
      });
      this.edges.push(started);
      this.#tellGuard();
      await met(started.url, hosts, environment.RUNCLOUD_API_KEY ?? '');
    }
  }

  get nats(): LocalNats {
    if (!this.#nats) throw new Error('the fleet has not started');
    return this.#nats;
  }

  #tellGuard(): void {
    const servers = [this.#nats, this.#postgres].filter((server) => server?.isRunning);
    const pids = [...this.edges, ...this.hosts, ...servers.map((server) => server?.process)].map((each) => each?.pid);
    this.#guard.stdin.write(`${pids.join(' ')}\n`);
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.edges, ...this.hosts].map((each) => each.kill()));
    await Promise.allSettled([this.#nats?.close(), this.#postgres?.close()]);
    clearInterval(this.#telling);
    this.#guard.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

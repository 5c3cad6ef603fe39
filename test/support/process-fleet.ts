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

  private constructor() {}

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
      this.hosts.push(
        await ServiceProcess.start({
          ...ofRole(environment, 'host'),
          ...user.environment,
          RUNCLOUD_NATS_URL: nats.urlOf(user),
          RUNCLOUD_DATA_DIR: join(this.#folder, user.user),
        }),
      );
    }
    for (let index = 0; index < edges; index++) {
      const started = await ServiceProcess.start({
        ...ofRole({ ...environment, RUNCLOUD_DATABASE_URL: postgres?.url }, 'edge'),
        ...edge.environment,
        RUNCLOUD_NATS_URL: nats.urlOf(edge),
        RUNCLOUD_DATA_DIR: edgeDir(index),
      });
      this.edges.push(started);
      await met(started.url, hosts, environment.RUNCLOUD_API_KEY ?? '');
    }
  }

  get nats(): LocalNats {
    if (!this.#nats) throw new Error('the fleet has not started');
    return this.#nats;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.edges, ...this.hosts].map((each) => each.kill()));
    await Promise.allSettled([this.#nats?.close(), this.#postgres?.close()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

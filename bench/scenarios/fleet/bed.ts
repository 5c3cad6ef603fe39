import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeUser, hostUser, type NatsUser } from '../../../server/fleet/nats-users.ts';
import { fleetKeyOf } from '../../../server/fleet-key.ts';
import { LocalNats } from '../../../server/local-nats.ts';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { NATS_CONTROL, type NatsControl } from '../../controls/nats-control.ts';
import { Child } from '../../processes/child.ts';
import { HAND_OVER_WATCH } from '../../processes/hand-over.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { coreOf, type Layout, pinned } from '../../processes/pin.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { RequestBed, RequestPlan } from '../requests/row.ts';
import { tapMessage } from '../tap/messages.ts';
import { probeAnswers } from '../tap/probe.ts';
import type { FleetRow, FleetService } from './rows.ts';

const HOST = 'bench';
const MET_MS_MAX = 20_000;
/** One for taps, and one whose screen moves. */
const DEVICES = { RUNCLOUD_DEVICES: 'virtual-ios:2' };

interface Running {
  readonly process: Service;
  readonly session: ServiceSession;
}

/** A service alone, an edge with a host, the control with its answering process, the NATS server between, and the load process. */
export class FleetBed implements RequestBed<FleetRow> {
  readonly load: LoadProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-bench-fleet-'));
  readonly #stops: (() => Promise<unknown>)[] = [];
  readonly #running = new Map<FleetService, Running>();
  #hostPid = 0;
  #access: Omit<NatsControl, 'subject'> | undefined;
  #control: ServerProcess | undefined;
  #jobs = 0;

  private constructor(layout: Layout) {
    this.load = new LoadProcess(coreOf(layout, 'load'));
  }

  static async open(layout: Layout): Promise<FleetBed> {
    const bed = new FleetBed(layout);
    try {
      await bed.#open(coreOf(layout, 'server'));
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #open(core: number): Promise<void> {
    const [edgeDir, hostDir] = [join(this.#folder, 'edge'), join(this.#folder, 'host')];
    const [edge, host] = [edgeUser(), hostUser(HOST, fleetKeyOf(edgeDir))];
    const echo: NatsUser = {
      ...edgeUser(),
      user: 'echo',
      permissions: { publish: ['>'], subscribe: ['>'] },
    };
    const nats = await LocalNats.start([edge, host, echo], (command) => pinned(command, core));
    this.#stops.push(() => nats.close());
    process.once('exit', () => void nats.stop());
    const child = new Child({
      name: 'the host',
      file: 'server/run.mjs',
      args: ['main'],
      core,
      preloads: [HAND_OVER_WATCH],
      env: {
        ...host.environment,
        RUNCLOUD_NATS_URL: nats.urlOf(host),
        RUNCLOUD_DATA_DIR: hostDir,
        RUNCLOUD_RATE_LIMIT: 'off',
        RUNCLOUD_LOG: 'warn',
        ...DEVICES,
      },
    });
    this.#stops.push(() => child.stop());
    this.#hostPid = child.pid;
    const through = await this.#start(core, {
      ...edge.environment,
      RUNCLOUD_NATS_URL: nats.urlOf(edge),
      RUNCLOUD_DATA_DIR: edgeDir,
    });
    await met(through);
    this.#running.set('edge and host', { process: through, session: await through.createSession('ios') });
    const alone = await this.#start(core, DEVICES, HAND_OVER_WATCH);
    const session = await alone.createSession('ios');
    this.#running.set('service alone', { process: alone, session });
    const { message } = await probeAnswers(alone, session, this.#nextIdPrefix());
    this.#access = { servers: nats.address, user: echo.user, pass: echo.password };
    const env = this.controlEnv('bench.echo', message);
    const answering = new Child({ name: 'the answer', file: 'bench/controls/nats-answer.ts', env, core });
    this.#stops.push(() => answering.stop());
    await answering.spoken();
    const control = await startServer({ name: 'NATS echo', file: 'bench/controls/nats-echo.ts', env, core });
    this.#control = control;
    this.#stops.push(() => control.stop());
  }

  /** The environment of a control that speaks over the bed's NATS server. */
  controlEnv(subject: string, answer: string | Uint8Array): Readonly<Record<string, string>> {
    if (!this.#access) throw new Error('NATS is not running');
    return {
      [NATS_CONTROL]: JSON.stringify({ ...this.#access, subject } satisfies NatsControl),
      [CONTROL_ANSWER]: Buffer.from(answer).toString('base64'),
    };
  }

  /** A service with its session. */
  service(server: FleetService): Running {
    const running = this.#running.get(server);
    if (!running) throw new Error(`${server} is not running`);
    return running;
  }

  get hostPid(): number {
    return this.#hostPid;
  }

  async #start(core: number, settings: Readonly<Record<string, string>>, preload?: string): Promise<Service> {
    const service = await Service.start(core, preload, settings);
    this.#stops.push(() => service.stop());
    return service;
  }

  plan({ server }: FleetRow): RequestPlan {
    const template = tapMessage(this.#nextIdPrefix(), 'final');
    if (server !== 'NATS echo') {
      const { process, session } = this.service(server);
      return { server: process.server, target: session.control, template };
    }
    if (!this.#control) throw new Error(`${server} is not running`);
    const { host, port } = this.#control;
    const target = { kind: 'socket', url: `ws://${host}:${port}/`, headers: {}, greets: false } as const;
    return { server: this.#control, target, template };
  }

  async close(): Promise<void> {
    await this.load.stop();
    for (const stop of this.#stops.splice(0).reverse()) await stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #nextIdPrefix(): string {
    return `tap-${String(this.#jobs++).padStart(4, '0')}-`;
  }
}

async function met(edge: Service): Promise<void> {
  for (const end = Date.now() + MET_MS_MAX; Date.now() < end; ) {
    const { hosts } = await edge.get('/service/hosts');
    if (Array.isArray(hosts) && hosts.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the edge has not met its host');
}

import { setTimeout as sleep } from 'node:timers/promises';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { FanOutPattern } from '../../controls/fan-out-pattern.ts';
import { cpuTimeUs, mainThreadCpuUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { LOOP_WATCH, type LoopHeld } from '../../processes/loop-held.ts';
import { openMotion } from '../../processes/open-app.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { patternOf, SETTLE_MS } from '../../processes/stream-pattern.ts';
import type { ViewerTarget } from '../../viewers/viewer.ts';
import type { FanOutRound } from './figures.ts';
import { type FanOutRow, isService, type ServiceName, SUBJECTS } from './rows.ts';

const USUAL_PATTERN: FanOutPattern = { sizes: [3_600], perSecond: 60 };

interface RunningService {
  readonly process: Service;
  readonly session: ServiceSession;
}

/** The processes of one layout: the services with one session each, the bare sender, and the crowd. */
export class FanOutBed {
  readonly #crowd: CrowdProcess;
  #control: ServerProcess | undefined;
  readonly #services = new Map<ServiceName, RunningService>();

  private constructor(layout: Layout) {
    this.#crowd = new CrowdProcess({ core: coreOf(layout, 'load') });
  }

  static async open(layout: Layout, controlsOnly: boolean): Promise<FanOutBed> {
    const bed = new FanOutBed(layout);
    try {
      const core = coreOf(layout, 'server');
      const pattern = controlsOnly ? USUAL_PATTERN : await bed.#startServices(core);
      const env = { [CONTROL_ANSWER]: Buffer.from(JSON.stringify(pattern)).toString('base64') };
      const file = 'bench/controls/uws-fan-out.ts';
      bed.#control = await startServer({ name: 'uWS fan-out', file, env, core, preloads: [LOOP_WATCH] });
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  /** Connects the row's viewers and measures what they receive. */
  async measure(row: FanOutRow, ms: number): Promise<FanOutRound> {
    const { server, target } = this.#target(row);
    await this.#crowd.open(target, row.viewers);
    try {
      await sleep(SETTLE_MS);
      await server.loopHeld();
      const before = [mainThreadCpuUs(server.pid), cpuTimeUs(server.pid)].map((us) => us ?? Number.NaN);
      const seen = await this.#crowd.measure(ms, 'everybody');
      const after = [mainThreadCpuUs(server.pid), cpuTimeUs(server.pid)].map((us) => us ?? Number.NaN);
      const { maxMs, p99Ms }: LoopHeld = await server.loopHeld();
      const [mainCpuUs = 0, cpuUs = 0] = after.map((us, at) => us - (before[at] ?? 0));
      return { seen, use: { mainCpuUs, cpuUs, heldP99Ms: p99Ms, heldMaxMs: maxMs } };
    } finally {
      await this.#crowd.close();
    }
  }

  async close(): Promise<void> {
    const services = [...this.#services.values()].map(({ process }) => process.stop());
    await Promise.all([this.#crowd.stop(), ...services, this.#control?.stop()]);
  }

  /** Starts the service over each library; returns the sizes and the rate of its stream. */
  async #startServices(core: number): Promise<FanOutPattern> {
    for (const name of Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[]) {
      if (isService(name)) await this.#startService(name, core);
    }
    return patternOf(this.#crowd, this.#serviceTarget('RunCloud').target);
  }

  /** Starts the service with a screen in motion. */
  async #startService(name: ServiceName, core: number): Promise<void> {
    const process = await Service.start(core, LOOP_WATCH, { RUNCLOUD_SOCKETS: SUBJECTS[name].sockets });
    const session = await process.createSession('ios').catch(async (error) => {
      await process.stop();
      throw error;
    });
    this.#services.set(name, { process, session });
    await openMotion(process, session);
  }

  #target({ subject }: FanOutRow): { readonly server: ServerProcess; readonly target: ViewerTarget } {
    if (isService(subject)) return this.#serviceTarget(subject);
    const { acknowledges, path } = SUBJECTS[subject];
    if (!this.#control) throw new Error(`${subject} is not running`);
    const { host, port } = this.#control;
    return { server: this.#control, target: { host, port, path, headers: {}, acknowledges } };
  }

  #serviceTarget(name: ServiceName): { readonly server: ServerProcess; readonly target: ViewerTarget } {
    const service = this.#services.get(name);
    if (!service) throw new Error(`${name} is not running`);
    return { server: service.process.server, target: screenTarget(service.process, service.session) };
  }
}

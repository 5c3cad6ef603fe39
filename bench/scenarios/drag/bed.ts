import { setTimeout as sleep } from 'node:timers/promises';
import { encodeServerMessage } from '@runcloud/protocol';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { LoadTarget } from '../../load/job.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { OPENING_MS, openTouchLab } from '../../processes/open-app.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { DragRound } from './figures.ts';
import { type DragRow, STEPS_PER_GESTURE, STEPS_PER_SECOND, VIEWERS } from './rows.ts';

/** Excluded from the start of each measurement: a whole gesture. */
const WARM_UP_MS = (STEPS_PER_GESTURE / STEPS_PER_SECOND) * 1_000;
/** An answer of the same length as the service's. */
const ECHO = encodeServerMessage({ type: 'dispatched', requestId: 'drag-0000-00', inputSeq: 1_000, steps: 30 });

interface Running {
  readonly service: Service;
  readonly alone: ServiceSession;
  readonly watched: ServiceSession;
}

/** The service with one session without and one with viewers, the bare echo, and the process that drags. */
export class DragBed {
  readonly #load: LoadProcess;
  readonly #crowd: CrowdProcess;
  #echo: ServerProcess | undefined;
  #running: Running | undefined;
  #jobs = 0;

  private constructor(layout: Layout) {
    this.#load = new LoadProcess(coreOf(layout, 'load'));
    this.#crowd = new CrowdProcess({ core: coreOf(layout, 'load') });
  }

  static async open(layout: Layout, controlsOnly: boolean): Promise<DragBed> {
    const bed = new DragBed(layout);
    try {
      const core = coreOf(layout, 'server');
      const env = { [CONTROL_ANSWER]: Buffer.from(ECHO).toString('base64') };
      bed.#echo = await startServer({ name: 'uWS echo', file: 'bench/controls/uws-echo.ts', env, core });
      if (!controlsOnly) await bed.#startService(core);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #startService(core: number): Promise<void> {
    const service = await Service.start(core);
    try {
      const [alone, watched] = [await service.createSession('ios'), await service.createSession('ios')];
      for (const session of [alone, watched]) await openTouchLab(service, session);
      await sleep(OPENING_MS);
      await this.#crowd.open(screenTarget(service, watched), VIEWERS);
      this.#running = { service, alone, watched };
    } finally {
      if (!this.#running) await service.stop();
    }
  }

  async measure(row: DragRow, measureMs: number): Promise<DragRound> {
    const { server, target } = this.#subject(row);
    const endsWithResult = row.server === 'RunCloud';
    const idPrefix = `drag-${String(this.#jobs++).padStart(4, '0')}-`;
    const drag = { stepsPerSecond: STEPS_PER_SECOND, stepsPerGesture: STEPS_PER_GESTURE, idPrefix, endsWithResult };
    const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
    const figures = await this.#load.drag({ drag, target, warmUpMs: WARM_UP_MS, measureMs }).catch((error: Error) => {
      throw new Error(`${row.name}: ${error.message}\n${server.lastWords()}`.trim());
    });
    const cpuAfterUs = cpuTimeUs(server.pid) ?? Number.NaN;
    return { ...figures, serverCpuUs: (cpuAfterUs - cpuBeforeUs) / figures.answersInAll };
  }

  async close(): Promise<void> {
    await Promise.all([this.#load.stop(), this.#crowd.stop()]);
    await Promise.all([this.#echo?.stop(), this.#running?.service.stop()]);
  }

  #subject({ server, viewers }: DragRow): {
    readonly server: ServerProcess;
    readonly target: Extract<LoadTarget, { kind: 'socket' }>;
  } {
    if (server === 'RunCloud') {
      if (!this.#running) throw new Error('the service is not running');
      const { service, alone, watched } = this.#running;
      return { server: service.server, target: (viewers > 0 ? watched : alone).control };
    }
    if (!this.#echo) throw new Error('the echo is not running');
    const { host, port } = this.#echo;
    return { server: this.#echo, target: { kind: 'socket', url: `ws://${host}:${port}/`, headers: {}, greets: false } };
  }
}

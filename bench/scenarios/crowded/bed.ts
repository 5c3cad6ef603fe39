import { setTimeout as sleep } from 'node:timers/promises';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { FAN_OUT_PATHS, type FanOutPattern } from '../../controls/fan-out-pattern.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { type CrowdPlace, CrowdProcess } from '../../processes/crowd-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { LOOP_WATCH } from '../../processes/loop-held.ts';
import { openMotion } from '../../processes/open-app.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { ViewerTarget } from '../../viewers/viewer.ts';
import { tapMessage } from '../tap/messages.ts';
import type { CrowdedRound } from './figures.ts';
import { type CrowdedRow, TAPS_PER_SECOND } from './rows.ts';

/** Excluded from the start of each measurement: fresh connections, links of unknown speed, and the opening of the app. */
const WARM_UP_MS = 500;
/** Approximately the stream of the app Motion. */
const PATTERN: FanOutPattern = { sizes: [3_600], perSecond: 60 };

/**
 * Real viewers run on machines of their own. Here they share one with the service, so they get only idle processor time: taps
 * must not wait for their work, and the number of their pictures shows whether enough time is left.
 */
const VIEWERS_PLACE: CrowdPlace = { yields: true };

/** One session of the service, a bare sender, the process that taps and those of the viewers. Nothing is bound to a core. */
export class CrowdedBed {
  readonly #service: Service;
  readonly #session: ServiceSession;
  readonly #control: ServerProcess;
  readonly #crowd = new CrowdProcess(VIEWERS_PLACE);
  /** The single viewer of the session while the crowd watches the bare sender. */
  readonly #single = new CrowdProcess(VIEWERS_PLACE);
  readonly #load = new LoadProcess();
  #jobs = 0;
  #moving = false;

  private constructor(service: Service, session: ServiceSession, control: ServerProcess) {
    this.#service = service;
    this.#session = session;
    this.#control = control;
  }

  static async open(): Promise<CrowdedBed> {
    const service = await Service.start(undefined, LOOP_WATCH);
    try {
      const session = await service.createSession('ios');
      const env = { [CONTROL_ANSWER]: Buffer.from(JSON.stringify(PATTERN)).toString('base64') };
      const control = await startServer({ name: 'bare sender', file: 'bench/controls/uws-fan-out.ts', env });
      return new CrowdedBed(service, session, control);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  /** Measures taps and their costs for one row. */
  async measure(row: CrowdedRow, ms: number): Promise<CrowdedRound> {
    await this.#move(row.moving);
    const open = await this.#watch(row);
    try {
      const tapping = this.#tap(ms);
      // If something else fails first, a failure of this promise is not an unhandled rejection.
      tapping.catch(() => undefined);
      await sleep(WARM_UP_MS);
      await this.#service.server.loopHeld();
      const [encodings, cpuUs, startMs] = [await this.#service.encodings(), this.#cpuUs, performance.now()];
      const watcher = row.crowd === 'session' ? this.#crowd : undefined;
      const seen = watcher ? await watcher.measure(ms) : await sleep(ms, undefined);
      const used = { cpuUs: this.#cpuUs - cpuUs, seconds: (performance.now() - startMs) / 1_000 };
      const encoded = (await this.#service.encodings()) - encodings;
      const held = await this.#service.server.loopHeld();
      return { taps: await tapping, held, encodings: encoded, ...used, ...(seen ? { seen } : {}) };
    } finally {
      await Promise.all(open.map((crowd) => crowd.close()));
    }
  }

  /** The end of the service's standard error, for the message of a failure. */
  lastWords(): string {
    return this.#service.server.lastWords();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#crowd.stop(), this.#single.stop(), this.#load.stop(), this.#control.stop()]);
    await this.#service.stop();
  }

  get #cpuUs(): number {
    return cpuTimeUs(this.#service.server.pid) ?? Number.NaN;
  }

  /** Connects the row's viewers; returns the crowds that have to leave again. */
  async #watch({ crowd, viewers }: CrowdedRow): Promise<CrowdProcess[]> {
    if (crowd === 'none') return [];
    const session = screenTarget(this.#service, this.#session);
    const open = crowd === 'bare' ? [this.#crowd, this.#single] : [this.#crowd];
    await this.#crowd.open(crowd === 'bare' ? this.#bareTarget() : session, viewers);
    if (crowd === 'bare') await this.#single.open(session, 1);
    return open;
  }

  #bareTarget(): ViewerTarget {
    const { host, port } = this.#control;
    return { host, port, path: FAN_OUT_PATHS.send, headers: {}, acknowledges: true };
  }

  async #move(moving: boolean): Promise<void> {
    if (moving === this.#moving) return;
    this.#moving = moving;
    if (moving) await openMotion(this.#service, this.#session);
    else await this.#service.post(this.#session.interactionsPath, { action: 'pressButton', button: 'home' });
    await sleep(WARM_UP_MS);
  }

  #tap(measureMs: number) {
    const template = tapMessage(`crowd-${String(this.#jobs++).padStart(4, '0')}-`, 'final');
    const mode = { kind: 'open', perSecond: TAPS_PER_SECOND } as const;
    return this.#load.run({ target: this.#session.control, template, mode, warmUpMs: WARM_UP_MS, measureMs });
  }
}

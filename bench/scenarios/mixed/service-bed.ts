import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFigures, LoadTarget } from '../../load/job.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { OPENING_MS, openMotion, openTouchLab } from '../../processes/open-app.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { CrowdFigures } from '../../viewers/job.ts';
import { tapMessage } from '../tap/messages.ts';
import { TAPS_PER_SECOND } from './rows.ts';

/** Numbers of sessions, viewers and recordings. */
export interface MixedSize {
  readonly sessions: number;
  readonly recorded: number;
  readonly viewers: number;
}

/** Observed figures of the service while everything happened at once. */
export interface MixedRound {
  readonly taps: LoadFigures;
  readonly seen: CrowdFigures;
  readonly cpuUs: number;
  /** For each recording, the time from sending `stop` to the answer with the status `ready`. */
  readonly readyMs: readonly number[];
}

/** Excluded from the start of each measurement, because of key pictures and fresh connections. */
const WARM_UP_MS = 300;

/** The service with its sessions, their viewers, and the process that taps. Nothing is bound to a core. */
export class MixedService {
  readonly service: Service;
  readonly size: MixedSize;
  readonly #load = new LoadProcess();
  readonly #crowd = new CrowdProcess();
  #sessions: ServiceSession[] = [];
  #jobs = 0;

  private constructor(service: Service, size: MixedSize) {
    this.service = service;
    this.size = size;
  }

  /** @param preload loaded before the service's own code */
  static async open(size: MixedSize, preload?: string): Promise<MixedService> {
    const devices = { RUNCLOUD_DEVICES: `virtual-ios:${size.sessions}` };
    const mixed = new MixedService(await Service.start(undefined, preload, devices), size);
    try {
      for (let index = 0; index < size.sessions; index++) mixed.#sessions.push(await mixed.#openSession(index));
      await sleep(OPENING_MS);
      return mixed;
    } catch (error) {
      await mixed.stop();
      throw error;
    }
  }

  /** Measures the taps alone, without viewers and recordings. */
  tap(measureMs: number): Promise<LoadFigures> {
    return this.#tapAll(
      this.#sessions.map(({ control }) => control),
      measureMs,
    );
  }

  /** Measures taps at the same rate on another server, with one connection for each session. */
  tapOther(target: LoadTarget, measureMs: number): Promise<LoadFigures> {
    return this.#tapAll(new Array(this.size.sessions).fill(target), measureMs);
  }

  /** Measures everything at once. Viewers connect before and leave after the measurement; each recording must become ready. */
  async measure(measureMs: number): Promise<MixedRound> {
    await this.#crowd.open(
      this.#sessions.map((session) => screenTarget(this.service, session)),
      this.size.viewers,
    );
    try {
      const recordings = await Promise.all(
        this.#sessions.slice(0, this.size.recorded).map((each) => this.#record(each)),
      );
      const tapping = this.tap(measureMs);
      // If something else fails first, a failure of this promise is not an unhandled rejection.
      tapping.catch(() => undefined);
      await sleep(WARM_UP_MS);
      const cpuBeforeUs = this.#cpuUs;
      const seen = await this.#crowd.measure(measureMs);
      const cpuUs = this.#cpuUs - cpuBeforeUs;
      const taps = await tapping;
      const readyMs: number[] = [];
      for (const recording of recordings) readyMs.push(await this.#finish(recording));
      return { taps, seen, cpuUs, readyMs };
    } finally {
      await this.#crowd.close();
    }
  }

  /** Releases one session and creates another in its place, as users come and go. */
  async replaceSession(index: number): Promise<void> {
    const old = this.#sessions[index];
    if (old) await this.service.remove(`/service/sessions/${old.id}`);
    this.#sessions[index] = await this.#openSession(index);
    await sleep(OPENING_MS);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#crowd.stop(), this.#load.stop()]);
    await this.service.stop();
  }

  get #cpuUs(): number {
    return cpuTimeUs(this.service.server.pid) ?? Number.NaN;
  }

  async #openSession(index: number): Promise<ServiceSession> {
    const session = await this.service.createSession('ios');
    if (index < this.size.recorded) await openMotion(this.service, session);
    else await openTouchLab(this.service, session);
    return session;
  }

  #tapAll([target, ...moreTargets]: readonly LoadTarget[], measureMs: number): Promise<LoadFigures> {
    if (!target) throw new Error('there is nothing to tap');
    const template = tapMessage(`mix-${String(this.#jobs++).padStart(4, '0')}-`, 'final');
    const mode = { kind: 'open', perSecond: TAPS_PER_SECOND } as const;
    return this.#load.run({ target, moreTargets, template, mode, warmUpMs: WARM_UP_MS, measureMs });
  }

  async #record({ id }: ServiceSession): Promise<string> {
    const recordings = `/service/ios/${id}/recordings`;
    return `${recordings}/${String((await this.service.post(recordings)).id)}`;
  }

  async #finish(path: string): Promise<number> {
    const sinceMs = performance.now();
    const { status, failure } = await this.service.post(`${path}/stop`);
    if (status !== 'ready') throw new Error(`the recording is ${status}: ${JSON.stringify(failure)}`);
    return performance.now() - sinceMs;
  }
}

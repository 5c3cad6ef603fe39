import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadFigures, LoadTarget } from '../../load/job.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { openMotion, screenTarget } from '../../processes/motion.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { CrowdFigures } from '../../viewers/job.ts';
import { tapMessage } from '../tap/messages.ts';
import { TAPS_PER_SECOND } from './rows.ts';

/** How much of everything there is. */
export interface MixedSize {
  readonly sessions: number;
  readonly recorded: number;
  readonly viewers: number;
}

/** What was seen of the service while everything went on. */
export interface MixedRound {
  readonly taps: LoadFigures;
  readonly seen: CrowdFigures;
  readonly cpuUs: number;
  /** From a stop's send to its answer, which says `ready`; one for each recording. */
  readonly readyMs: readonly number[];
}

/** On the home screen of the virtual iPhone: the app that draws where it is touched. */
const TOUCH_LAB = { action: 'tap', x: 0.164, y: 0.922 };
/** Longer than an app takes to open. */
const OPENING_MS = 1_500;
/** Left out at the start of each measurement: key pictures, fresh connections. */
const WARM_UP_MS = 300;

/** The service with its sessions, their viewers, and the process that taps. The scheduler places them. */
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

  /** The taps by themselves: nobody watches, nothing is recorded. */
  tap(measureMs: number): Promise<LoadFigures> {
    return this.#tapAll(
      this.#sessions.map(({ control }) => control),
      measureMs,
    );
  }

  /** Taps of the same rate on another server, a connection in the place of each session. */
  tapOther(target: LoadTarget, measureMs: number): Promise<LoadFigures> {
    return this.#tapAll(new Array(this.size.sessions).fill(target), measureMs);
  }

  /** Everything at once. The viewers have come before, and leave after; each recording becomes ready. */
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
      // Whatever is awaited first may be what fails.
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

  /** Gives one session back and takes another in its place, as users come and go. */
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
    else await this.service.post(session.interactionsPath, TOUCH_LAB);
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

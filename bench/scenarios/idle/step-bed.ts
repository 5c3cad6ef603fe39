import { setTimeout as sleep } from 'node:timers/promises';
import { clearOfMinute } from '../../processes/clear-of-minute.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { MEMORY_WATCH } from '../../processes/memory-use.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { ControlClient } from '../../stills/control-client.ts';
import { type Reading, type StepFigures, stepFigures } from './figures.ts';
import { COUNTS, type Kind } from './rows.ts';

/** Enough devices for the sessions of the last step, half on each platform. */
const DEVICES = 'virtual-ios:56,virtual-android:56';
/** Blocks the session's queue for longer than the measurement takes. */
const HOLD = { action: 'pressKey', key: 'a', durationMs: 30_000, timeoutMs: 60_000 } as const;
const TAP = { action: 'tap', x: 0.5, y: 0.01, timeoutMs: 60_000, acks: 'final' } as const;
/** Time for the encoding of first pictures and the sending of events. */
const SETTLE_MS = 600;
/** Maximum number of such waits on a busy machine; a screen that never stands still is then measured as it is. */
const RESTS_MAX = 5;
/** Maximum time in which the server reports its memory. */
const MEASURE_MS_MAX = 5_000;

/** A service on which the number of one kind of thing is increased in steps, with a reading of its memory at each. */
export class StepBed {
  readonly #service: Service;
  readonly #session: ServiceSession;
  readonly #crowd = new CrowdProcess();
  readonly #idleMs: number;
  readonly #counts: readonly number[];

  private constructor(service: Service, session: ServiceSession, idleMs: number, counts: readonly number[]) {
    this.#service = service;
    this.#session = session;
    this.#idleMs = idleMs;
    this.#counts = counts;
  }

  static async open(idleMs: number, counts: readonly number[] = COUNTS): Promise<StepBed> {
    const service = await Service.start(undefined, MEMORY_WATCH, { RUNCLOUD_DEVICES: DEVICES });
    try {
      return new StepBed(service, await service.createSession('ios'), idleMs, counts);
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async measure(kind: Kind): Promise<StepFigures[]> {
    if (kind === 'session') return this.#measureSessions();
    return kind === 'viewer' ? this.#measureViewers() : this.#measurePending();
  }

  lastWords(): string {
    return this.#service.server.lastWords();
  }

  async close(): Promise<void> {
    await this.#crowd.stop();
    await this.#service.stop();
  }

  async #measureSessions(): Promise<StepFigures[]> {
    const made: ServiceSession[] = [];
    // The first session of a platform loads resources that later ones share.
    const first = await this.#service.createSession('android');
    const figures = await this.#steps('session', async (count) => {
      while (made.length < count) {
        made.push(await this.#service.createSession(made.length % 2 === 0 ? 'ios' : 'android'));
      }
    });
    for (const { id } of [first, ...made]) await this.#service.remove(`/service/sessions/${id}`);
    return figures;
  }

  async #measureViewers(): Promise<StepFigures[]> {
    let viewers = 1;
    await this.#crowd.open(screenTarget(this.#service, this.#session), viewers);
    const figures = await this.#steps('viewer', async (count) => {
      await this.#crowd.join(count + 1 - viewers);
      viewers = count + 1;
    });
    await this.#crowd.close();
    return figures;
  }

  async #measurePending(): Promise<StepFigures[]> {
    const { host, port } = this.#service.server;
    const path = `/service/ios/${this.#session.id}`;
    const client = await ControlClient.open({ host, port, path, key: this.#service.key });
    try {
      let pending = 0;
      client.tell((requestId) => ({ type: 'interaction', requestId, ...HOLD }));
      return await this.#steps('pending', async (count) => {
        for (; pending < count; pending++) client.tell((requestId) => ({ type: 'interaction', requestId, ...TAP }));
      });
    } finally {
      client.close();
    }
  }

  async #steps(kind: Kind, growTo: (count: number) => Promise<void>): Promise<StepFigures[]> {
    const none = await this.#read(kind);
    const figures: StepFigures[] = [];
    for (const count of this.#counts) {
      await growTo(count);
      figures.push(stepFigures(kind, count, none, await this.#read(kind)));
    }
    return figures;
  }

  /** Waits until no packets have been sent for a while, and the phone's clock will not change during the measurement. */
  async #rest(): Promise<void> {
    await clearOfMinute(RESTS_MAX * SETTLE_MS + MEASURE_MS_MAX + this.#idleMs);
    for (let rests = 0; rests < RESTS_MAX; rests++) {
      if ((await this.#crowd.measure(SETTLE_MS, 'nobody')).bytes === 0) return;
    }
  }

  /** Reads the service's memory, then observes its activity while it is idle. */
  async #read(kind: Kind): Promise<Reading> {
    await sleep(SETTLE_MS);
    if (kind === 'viewer') await this.#rest();
    const { server } = this.#service;
    const use = await server.memoryUse();
    const sinceMs = performance.now();
    const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
    let bytes = 0;
    if (kind === 'viewer') ({ bytes } = await this.#crowd.measure(this.#idleMs, 'nobody'));
    else await sleep(this.#idleMs);
    const cpuUs = (cpuTimeUs(server.pid) ?? Number.NaN) - cpuBeforeUs;
    return { use, cpuUs, bytes, seconds: (performance.now() - sinceMs) / 1_000 };
  }
}

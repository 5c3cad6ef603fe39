import { setTimeout as sleep } from 'node:timers/promises';
import { clearOfMinute } from '../../processes/clear-of-minute.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { MEMORY_WATCH } from '../../processes/memory-use.ts';
import { screenTarget } from '../../processes/motion.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { ControlClient } from '../../stills/control-client.ts';
import { type Reading, type StepFigures, stepFigures } from './figures.ts';
import { COUNTS, type Kind } from './rows.ts';

/** Enough for the sessions of the last step, half of each platform. */
const DEVICES = 'virtual-ios:56,virtual-android:56';
/** Holds the session's queue for longer than the measurement takes. */
const HOLD = { action: 'pressKey', key: 'a', durationMs: 30_000, timeoutMs: 60_000 } as const;
const TAP = { action: 'tap', x: 0.5, y: 0.01, timeoutMs: 60_000, acks: 'final' } as const;
/** What came has settled: first pictures are encoded, events have gone out. */
const SETTLE_MS = 600;
/** On a busy machine it takes longer; a screen that never stands still is measured as it is. */
const RESTS_MAX = 5;
/** What the server takes to tell its memory. */
const MEASURE_MS_MAX = 5_000;

/** One service that is given more and more of one kind of thing, and weighed at each count. */
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
    // The first of a platform loads what its kind shares.
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

  /** Waits until the viewers have been sent nothing for a while, and will not be by the phone's clock. */
  async #rest(): Promise<void> {
    await clearOfMinute(RESTS_MAX * SETTLE_MS + MEASURE_MS_MAX + this.#idleMs);
    for (let rests = 0; rests < RESTS_MAX; rests++) {
      if ((await this.#crowd.measure(SETTLE_MS, 'nobody')).bytes === 0) return;
    }
  }

  /** Weighs the service, and watches it do nothing for a while. */
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

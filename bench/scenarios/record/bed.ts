import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { openMotion } from '../../processes/open-app.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { tapMessage } from '../tap/messages.ts';
import type { FinishedRecording, RecordRound } from './figures.ts';
import { type RecordRow, TAPS_PER_SECOND, VIEWERS } from './rows.ts';

/** Excluded from the start of each measurement, because of the recording's first key picture and fresh connections. */
const WARM_UP_MS = 300;

/** One session with a moving screen, its viewers, and the process that taps. */
export class RecordBed {
  readonly #service: Service;
  readonly #session: ServiceSession;
  readonly #crowd: CrowdProcess;
  readonly #load: LoadProcess;
  #jobs = 0;

  private constructor(service: Service, session: ServiceSession, layout: Layout) {
    this.#service = service;
    this.#session = session;
    this.#crowd = new CrowdProcess({ core: coreOf(layout, 'load') });
    this.#load = new LoadProcess(coreOf(layout, 'load'));
  }

  static async open(layout: Layout): Promise<RecordBed> {
    const service = await Service.start(coreOf(layout, 'server'));
    let bed: RecordBed | undefined;
    try {
      const session = await service.createSession('ios');
      bed = new RecordBed(service, session, layout);
      await openMotion(service, session);
      await bed.#crowd.open(screenTarget(service, session), VIEWERS);
      return bed;
    } catch (error) {
      await (bed ?? service).stop();
      throw error;
    }
  }

  /** Measures taps and viewers with or without a recording, which is stopped at the end. */
  async measure({ recorded }: RecordRow, ms: number): Promise<RecordRound> {
    const recording = recorded ? await this.#startRecording() : undefined;
    const tapping = this.#tap(ms);
    // If something else fails first, a failure of this promise is not an unhandled rejection.
    tapping.catch(() => undefined);
    await sleep(WARM_UP_MS);
    const [encodings, cpuUs] = [await this.#service.encodings(), this.#cpuUs];
    const seen = await this.#crowd.measure(ms);
    const used = { cpuUs: this.#cpuUs - cpuUs, encodings: (await this.#service.encodings()) - encodings };
    const taps = await tapping;
    return { taps, seen, ...used, ...(recording === undefined ? {} : { recording: await this.#finish(recording) }) };
  }

  /** The end of the service's standard error, for the message of a failure. */
  lastWords(): string {
    return this.#service.server.lastWords();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#crowd.stop(), this.#load.stop()]);
    await this.#service.stop();
  }

  get #cpuUs(): number {
    return cpuTimeUs(this.#service.server.pid) ?? Number.NaN;
  }

  #tap(measureMs: number) {
    const template = tapMessage(`rec-${String(this.#jobs++).padStart(4, '0')}-`, 'final');
    const mode = { kind: 'open', perSecond: TAPS_PER_SECOND } as const;
    return this.#load.run({ target: this.#session.control, template, mode, warmUpMs: WARM_UP_MS, measureMs });
  }

  async #startRecording(): Promise<string> {
    const { id } = await this.#service.post(this.#recordings);
    return `${this.#recordings}/${String(id)}`;
  }

  async #finish(path: string): Promise<FinishedRecording> {
    const sinceMs = performance.now();
    const { status, durationMs, byteSize, failure } = await this.#service.post(`${path}/stop`);
    const readyMs = performance.now() - sinceMs;
    if (status !== 'ready') throw new Error(`the recording is ${status}: ${JSON.stringify(failure)}`);
    return { durationMs: Number(durationMs), bytes: Number(byteSize), readyMs };
  }

  get #recordings(): string {
    return `/service/ios/${this.#session.id}/recordings`;
  }
}

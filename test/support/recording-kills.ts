import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingDetails, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { DRIVERS } from '../conformance/drivers.ts';
import { RestClient } from './rest-client.ts';
import { TEST_KEY } from './server.ts';
import { type Program, serverProgram } from './server-process.ts';

/** How one history of kills ended. */
export interface KillOutcome {
  /** The activity of the server when it was killed first. */
  readonly moment: Moment;
  /** Kills while the recording was being recovered. */
  readonly laterKills: number;
  /** The recording's last record; absent when the kill came before the start was acknowledged. */
  readonly recording: RecordingDetails | undefined;
  /** Whether the screen moved all the time, or stood still after the first moments. */
  readonly moving: boolean;
  /**
   * From the acknowledged start until the last question before the kill that the device's thread answered, whether there
   * were new pictures by then or not: what a still screen shows is recorded, too.
   */
  readonly recordedMs: number;
  /** Whether the stop was acknowledged before the kill. */
  readonly stopped: boolean;
  /** The downloaded file, when it is ready. */
  readonly file: Buffer | undefined;
  /** Files of the folder at the end, without the ready ones. */
  readonly leftovers: readonly string[];
}

export const MOMENTS = ['starting', 'recording', 'finalizing', 'stopped'] as const;
export type Moment = (typeof MOMENTS)[number];

const motionOf = (session: SessionRecord) => DRIVERS[0]?.icon(session, 'motion') ?? { x: 0.5, y: 0.5 };

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const ASK_EACH_MS = 50;
const SETTLED = ['ready', 'failed', 'deleted'];

/** Waits for a recording to come to rest. */
async function atRest(rest: RestClient, path: string): Promise<RecordingDetails> {
  for (let tries = 0; tries < 900; tries++) {
    const { body } = await rest.call<RecordingDetails>('GET', path);
    if (SETTLED.includes(body.status) && body.failure?.nextAttemptAt === undefined) return body;
    await sleep(50);
  }
  throw new Error('the recording does not come to rest');
}

/**
 * Records a moving screen in a server of its own process, kills that with SIGKILL around a moment of the recording's
 * life, kills what recovers it as often as `laterKills` says, and tells what is left.
 */
export class KillHistory {
  readonly #dataDir: string;
  readonly #random: () => number;
  readonly #environment: Readonly<Record<string, string>>;
  #program: Program | undefined;

  /** @param environment further settings of the server */
  constructor(dataDir: string, random: () => number, environment: Readonly<Record<string, string>> = {}) {
    this.#dataDir = dataDir;
    this.#environment = environment;
    this.#random = random;
  }

  async run(moment: Moment, laterKills: number, moving: boolean): Promise<KillOutcome> {
    const rest = await this.#start();
    const session = await rest.createSession('ios');
    const path = `/service/ios/${session.id}/recordings`;
    const { id, recordedMs, stopped } = await this.#recordAndKill(rest, session, path, { moment, moving });
    for (let kills = 0; kills < laterKills; kills++) {
      await this.#start();
      await sleep(this.#random() * 400);
      await this.#kill();
    }
    const later = await this.#start();
    const listed = await later.call<{ recordings: RecordingRecord[] }>('GET', path);
    const ready: string[] = [];
    for (const { id: each } of listed.body.recordings) {
      const { status, failure } = await atRest(later, `${path}/${each}`);
      // Beside an object store the poster stays, and the file until it is cleared away, which the end may have come upon.
      if (status === 'ready')
        ready.push(`${each}.mp4`, ...(this.#environment.RUNCLOUD_S3_URL ? [`${each}.jpg`, `${each}.jpg.tmp`] : []));
      else if (!failure?.message) throw new Error(`${each} is ${status} without a reason`);
    }
    const recording = id === undefined ? undefined : await atRest(later, `${path}/${id}`);
    const response = recording?.status === 'ready' ? await later.fetch(recording.downloadUrl ?? '') : undefined;
    const file = response && Buffer.from(await response.arrayBuffer());
    this.#program?.signal('SIGTERM');
    const ended = await this.#program?.ended;
    if (ended?.code !== 0) throw new Error(`the last server ended with ${ended?.code}: ${this.#program?.stderr}`);
    return {
      moment,
      laterKills,
      moving,
      recording,
      recordedMs,
      stopped,
      file,
      leftovers: this.#leftovers(ready),
    };
  }

  async close(): Promise<void> {
    if (this.#program?.running) await this.#kill();
  }

  /** Everything that the last server said. */
  get log(): string {
    return this.#program?.stderr ?? '';
  }

  async #recordAndKill(
    rest: RestClient,
    session: SessionRecord,
    path: string,
    { moment, moving }: Pick<KillOutcome, 'moment' | 'moving'>,
  ) {
    const outcome = { id: undefined as string | undefined, recordedMs: 0, stopped: false };
    const starting = rest.call<RecordingRecord>('POST', path).then(({ status, body }) => {
      if (status === 201) outcome.id = body.id;
    });
    // A server that is killed answers nobody.
    starting.catch(() => undefined);
    if (moment === 'starting') {
      await sleep(this.#random() * 300);
      await this.#kill();
      await starting.catch(() => undefined);
      return outcome;
    }
    await starting;
    const begunMs = performance.now();
    await rest.interact(session, {
      action: 'swipe',
      from: { x: 0.5, y: 0.3 },
      to: { x: 0.5, y: 0.8 },
      durationMs: 400,
    });
    if (moving) await rest.interact(session, { action: 'tap', ...motionOf(session) });
    // A device's thread that stands still records nothing: what counts is until it was asked something that it answered.
    const untilMs = performance.now() + 200 + this.#random() * 1_800;
    for (let askedMs = begunMs; askedMs < untilMs; await sleep(ASK_EACH_MS)) {
      askedMs = performance.now();
      await rest.screenshot(session);
      outcome.recordedMs = askedMs - begunMs;
    }
    if (moment === 'recording') {
      await this.#kill();
      return outcome;
    }
    const stopping = rest.call<RecordingRecord>('POST', `${path}/${outcome.id}/stop`).then(({ body }) => {
      outcome.stopped = body.status === 'ready';
    });
    stopping.catch(() => undefined);
    if (moment === 'stopped') await stopping;
    else await sleep(this.#random() * 400);
    await this.#kill();
    await stopping.catch(() => undefined);
    return outcome;
  }

  async #start(): Promise<RestClient> {
    this.#program = serverProgram(this.#dataDir, {
      RUNCLOUD_API_KEY: TEST_KEY,
      RUNCLOUD_LOG: 'warn',
      ...this.#environment,
    });
    return new RestClient(await this.#program.ready(), TEST_KEY);
  }

  async #kill(): Promise<void> {
    this.#program?.signal('SIGKILL');
    await this.#program?.ended;
  }

  /** Files in the folder other than the objects of ready recordings. */
  #leftovers(ready: readonly string[]): string[] {
    return readdirSync(join(this.#dataDir, 'recordings')).filter((name) => !ready.includes(name));
  }
}

/** How much shorter the recording is than what was recorded, in milliseconds; nothing where it is longer. */
export const lostOf = ({ recording, recordedMs }: Pick<KillOutcome, 'recording' | 'recordedMs'>): number =>
  Math.max(0, recordedMs - (recording?.durationMs ?? 0));

/** Why this outcome is not what is promised; `undefined` when it is. */
export function broken({ recording, recordedMs, stopped, file, leftovers, moment }: KillOutcome): string | undefined {
  if (leftovers.length > 0) return `left behind: ${leftovers.join(', ')}`;
  if (!recording) return moment === 'starting' ? undefined : 'the start was acknowledged, and its recording is gone';
  if (recording.status === 'failed') {
    if (stopped) return 'what was ready has failed';
    if (recordedMs > 1_000) return `after ${recordedMs} ms: ${recording.failure?.code}: ${recording.failure?.message}`;
    return recording.failure?.message === undefined ? 'it failed without a reason' : undefined;
  }
  if (recording.status !== 'ready') return `it is ${recording.status}`;
  if (file?.byteLength !== recording.byteSize) return `the file has ${file?.byteLength} bytes`;
  const lostMs = lostOf({ recording, recordedMs });
  return lostMs > 1_000 ? `${Math.round(lostMs)} ms of ${Math.round(recordedMs)} were lost` : undefined;
}

import type { SessionRecord } from '@runcloud/protocol';
import { placeIn } from '@runcloud/protocol/terms';
import { cpuTimeUs } from '../../bench/processes/cpu-time.ts';
import { LatencySamples } from '../../bench/report/percentiles.ts';
import { placeOf } from '../../server/fleet/subjects.ts';
import { ProcessFleet, type ProcessFleetSize } from './process-fleet.ts';
import { residentBytes } from './process-memory.ts';
import { RestClient } from './rest-client.ts';
import { ReturningViewer } from './returning-viewer.ts';
import { TEST_KEY } from './server.ts';
import { TappedSession } from './tapped-session.ts';
import { until } from './until.ts';

export interface FleetLoad extends ProcessFleetSize {
  readonly devicesOfHost: number;
  readonly sessions: number;
  readonly viewers: number;
  /** Of the fleet, over all sessions in turn. */
  readonly tapsPerSecond: number;
  /** Of each viewer's stream, at most. */
  readonly maxFps: number;
  readonly maxLongEdge: number;
  readonly measureMs: number;
  /** Parts of the measured time, each a line of the report. */
  readonly samples: number;
  /** Mean time between two losses; without it nothing is lost. */
  readonly lossEveryMs?: number;
}

/** One part of the measured time. */
export interface FleetSample {
  /** From the beginning of the measurement to the end of this part. */
  readonly endMs: number;
  readonly tapsPerSecond: number;
  /** From the time at which a tap was meant to leave to its acknowledgement. */
  readonly tapP50Ms: number;
  readonly tapP99Ms: number;
  /** Of each viewer. */
  readonly picturesPerSecond: number;
  /** From the capture of a picture to its arrival. */
  readonly pictureP50Ms: number;
  readonly pictureP99Ms: number;
  /** Resident memory of each process. */
  readonly edgesMegabytes: readonly number[];
  readonly hostsMegabytes: readonly number[];
  readonly natsMegabytes: number;
  /** Processor time of a second. */
  readonly edgesCores: number;
  readonly hostsCores: number;
  readonly natsCores: number;
  /** Of this process: clients, viewers, and what judges them. */
  readonly loadCores: number;
}

export const PROCESS_LOSSES = ['edge', 'host', 'NATS'] as const;
export type ProcessLoss = (typeof PROCESS_LOSSES)[number];

export interface FleetLoadReport {
  readonly samples: readonly FleetSample[];
  /** Broken promises, one sentence each. */
  readonly findings: readonly string[];
  readonly taps: number;
  /** Taps on phones of killed hosts of which nobody can say what they did. */
  readonly unknown: number;
  readonly losses: Readonly<Record<ProcessLoss, number>>;
  /** Viewers' connections behind the first of each. */
  readonly returns: number;
  /** In their order of size: from the attempt to open a socket to its `ready`, and from a host's death to its session's successor. */
  readonly resumedMs: readonly number[];
  readonly replacedMs: readonly number[];
}

const ENVIRONMENT = {
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'silent',
  RUNCLOUD_RATE_LIMIT: 'off',
  RUNCLOUD_DISK_HEADROOM: '0/0',
};
/** Sessions that are created at once. */
const CREATING = 8;
const CREATED_MS_MAX = 60_000;
const CREATE_AGAIN_MS = 250;
const PACE_MS = 5;
/** Taps before the measurement, in which streams begin. */
const WARM_UP_MS = 3_000;
const DOWN_MS = 300;
const HOST_DOWN_MS = { min: 1_000, max: 8_000 };
const TAPS_PER_SECOND_STORED = 2;
const PICTURES_PER_SECOND_STORED = 60;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const between = (min: number, max: number) => min + Math.random() * (max - min);
const rising = (values: readonly number[]) => [...values].sort((one, other) => one - other);

/** The place of one session: when it is lost, another one takes it, with its viewers. */
interface Place {
  record: SessionRecord;
  /** Absent while there is none to tap. */
  tapped?: TappedSession;
}

/** Puts a fleet under load for a while; resolves with what was measured and found when every process has ended. */
export async function loadFleet(
  load: FleetLoad,
  onSample: (sample: FleetSample) => void = () => undefined,
): Promise<FleetLoadReport> {
  const environment = { ...ENVIRONMENT, RUNCLOUD_DEVICES: `virtual-ios:${load.devicesOfHost}` };
  const fleet = await ProcessFleet.start(environment, load);
  const run = new Run(fleet, load);
  try {
    return await run.carryOut(onSample);
  } finally {
    run.close();
    await fleet.close();
  }
}

class Run {
  readonly #fleet: ProcessFleet;
  readonly #load: FleetLoad;
  readonly #clients: readonly RestClient[];
  readonly #places: Place[] = [];
  readonly #viewers: ReturningViewer[] = [];
  readonly #findings: string[] = [];
  readonly #losses: Record<ProcessLoss, number> = { edge: 0, host: 0, NATS: 0 };
  readonly #resumedMs: number[] = [];
  readonly #replacedMs: number[] = [];
  /** Edges that are down. */
  readonly #down = new Set<number>();
  #part: Part;
  #taps = 0;
  #unknown = 0;
  #turn = 0;
  #isOver = false;

  constructor(fleet: ProcessFleet, load: FleetLoad) {
    this.#fleet = fleet;
    this.#load = load;
    this.#clients = fleet.edges.map(({ url }) => new RestClient(url, TEST_KEY));
    this.#part = new Part(fleet, load);
  }

  async carryOut(onSample: (sample: FleetSample) => void): Promise<FleetLoadReport> {
    await this.#openSessions();
    this.#openViewers();
    const tapping = this.#tap();
    await sleep(WARM_UP_MS);
    const losing = this.#load.lossEveryMs === undefined ? undefined : this.#lose(this.#load.lossEveryMs);
    // It is awaited when the time is over.
    losing?.catch(() => undefined);
    const samples: FleetSample[] = [];
    const sinceMs = performance.now();
    for (let index = 1; index <= this.#load.samples; index++) {
      this.#part = new Part(this.#fleet, this.#load);
      await sleep(sinceMs + (this.#load.measureMs * index) / this.#load.samples - performance.now());
      const sample = this.#part.sample(performance.now() - sinceMs);
      samples.push(sample);
      onSample(sample);
    }
    this.#isOver = true;
    await Promise.all([tapping, losing]);
    await this.#judgeAll();
    return {
      samples,
      findings: this.#findings,
      taps: this.#taps,
      unknown: this.#unknown,
      losses: this.#losses,
      returns: this.#viewers.reduce((sum, { returns }) => sum + returns, 0),
      resumedMs: rising(this.#resumedMs),
      replacedMs: rising(this.#replacedMs),
    };
  }

  close(): void {
    this.#isOver = true;
    for (const viewer of this.#viewers) viewer.close();
    for (const { tapped } of this.#places) tapped?.close();
  }

  /** An edge that runs, in turns. */
  #rest(): RestClient {
    const clients = this.#clients.filter((_, index) => !this.#down.has(index));
    return clients[this.#turn++ % clients.length] as RestClient;
  }

  /** Any edge, in turns: a client that finds nobody tries the next one. */
  #url(): string {
    return (this.#clients[this.#turn++ % this.#clients.length] as RestClient).url;
  }

  async #openSessions(): Promise<void> {
    let left = this.#load.sessions;
    const open = async () => {
      while (left-- > 0) {
        const record = await this.#create();
        const place: Place = { record };
        this.#places.push(place);
        place.tapped = await this.#open(record);
      }
    };
    await Promise.all(Array.from({ length: CREATING }, open));
  }

  /** Asks again, for the same session, until there is one. */
  async #create(): Promise<SessionRecord> {
    const key = `session-${Math.random()}`;
    let said = '';
    for (const end = performance.now() + CREATED_MS_MAX; performance.now() < end; await sleep(CREATE_AGAIN_MS)) {
      try {
        const response = await this.#rest().fetch('/service/sessions', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
          body: JSON.stringify({ platform: 'ios', inactivityTimeout: '2h' }),
        });
        if (response.ok) return (await response.json()) as SessionRecord;
        said = `${response.status} ${await response.text()}`;
      } catch (error) {
        said = String(error);
      }
    }
    throw new Error(`no session after ${CREATED_MS_MAX} ms: ${said}`);
  }

  #open(record: SessionRecord): Promise<TappedSession> {
    return TappedSession.open({
      rest: () => this.#rest(),
      url: () => this.#url(),
      record,
      onAnswered: (latencyMs) => this.#part.taps.add(latencyMs * 1_000),
    });
  }

  #openViewers(): void {
    const { viewers, maxFps, maxLongEdge } = this.#load;
    const { authorization } = this.#rest();
    for (let index = 0; index < viewers; index++) {
      const place = this.#places[index % this.#places.length] as Place;
      this.#viewers.push(
        new ReturningViewer({
          url: () => this.#url(),
          session: () => place.record,
          authorization,
          maxFps,
          maxLongEdge,
          onPacket: ({ capturedAtUs }) =>
            this.#part.pictures.add((performance.timeOrigin + performance.now()) * 1_000 - capturedAtUs),
        }),
      );
    }
  }

  /** Taps leave at fixed times, whatever has been answered. */
  async #tap(): Promise<void> {
    const periodMs = 1_000 / this.#load.tapsPerSecond;
    const sinceMs = performance.now();
    for (let count = 0; !this.#isOver; await sleep(PACE_MS)) {
      for (; sinceMs + count * periodMs <= performance.now(); count++) {
        const { tapped } = this.#places[count % this.#places.length] as Place;
        tapped?.tap(sinceMs + count * periodMs);
        if (tapped) this.#taps++;
      }
    }
  }

  /** Each kind of loss once, in an order by chance, and then again. */
  async #lose(everyMs: number): Promise<void> {
    let coming: ProcessLoss[] = [];
    while (!this.#isOver) {
      await sleep(everyMs * between(0.5, 1.5));
      if (this.#isOver) return;
      if (coming.length === 0) coming = [...PROCESS_LOSSES].sort(() => Math.random() - 0.5);
      const loss = coming.pop() as ProcessLoss;
      this.#losses[loss]++;
      if (loss === 'NATS') await this.#loseNats();
      else if (loss === 'edge') await this.#loseEdge(Math.floor(Math.random() * this.#fleet.edges.length));
      else await this.#loseHost(Math.floor(Math.random() * this.#fleet.hosts.length));
    }
  }

  async #loseNats(): Promise<void> {
    await this.#fleet.nats.stop();
    await sleep(DOWN_MS);
    await this.#fleet.nats.start();
  }

  async #loseEdge(index: number): Promise<void> {
    const edge = this.#fleet.edges[index];
    this.#down.add(index);
    await edge?.kill();
    await sleep(DOWN_MS);
    await edge?.start();
    this.#down.delete(index);
  }

  async #loseHost(index: number): Promise<void> {
    const name = `host-${index + 1}`;
    const host = this.#fleet.hosts[index];
    const lost = this.#places.filter(({ record }) => placeIn(record.id) === placeOf(name));
    const records = lost.map(({ record }) => record);
    const killedMs = performance.now();
    for (const { tapped } of lost) tapped?.refusals.clear();
    await host?.kill();
    const back = sleep(between(HOST_DOWN_MS.min, HOST_DOWN_MS.max)).then(() => host?.start());
    await Promise.all([back, ...lost.map((place) => this.#replace(place, killedMs))]);
    for (const { id } of records) await this.#judgeEnd(id);
  }

  /** What is sent to the lost one any more is not counted: nothing is. */
  async #replace(place: Place, killedMs: number): Promise<void> {
    const { tapped } = place;
    delete place.tapped;
    if (tapped) {
      await until(() => tapped.refusals.size > 0, 'the client of a lost session is told');
      this.#unknown += tapped.answers.open;
      this.#judge(tapped, true);
    }
    place.record = await this.#create();
    place.tapped = await this.#open(place.record);
    this.#replacedMs.push(performance.now() - killedMs);
  }

  async #judgeEnd(id: string): Promise<void> {
    const read = async () => (await this.#rest().call<SessionRecord>('GET', `/service/sessions/${id}`)).body;
    await until(async () => (await read()).status !== undefined, 'the host of a lost session is back');
    const { status, releaseReason } = await read();
    if (status !== 'failed' || releaseReason !== 'server_restarted') {
      this.#findings.push(`${id} of a killed host is ${status}: ${releaseReason}`);
    }
  }

  async #judgeAll(): Promise<void> {
    for (const { tapped } of this.#places) {
      if (!tapped) continue;
      await until(() => tapped.answers.open === 0, 'every tap is answered').catch(() => undefined);
      this.#judge(tapped, false);
      const { id } = tapped.record;
      const unsure = [...tapped.otherwise.values()].reduce((sum, count) => sum + count, 0);
      if (unsure > 0) this.#findings.push(`${id}: ${JSON.stringify([...tapped.otherwise])}`);
      const surplus = await tapped.surplus();
      if (!(surplus <= 0 && surplus >= -tapped.slow)) {
        this.#findings.push(`${id} did ${surplus} taps more than it acknowledged, ${tapped.slow} of them slowly`);
      }
    }
  }

  #judge(tapped: TappedSession, isLost: boolean): void {
    tapped.close();
    this.#resumedMs.push(...tapped.resumedMs);
    const { lost, ...more } = tapped.answers.faults();
    const faults = isLost ? more : { lost, ...more };
    for (const [fault, ids] of Object.entries(faults)) {
      if (ids.length > 0) this.#findings.push(`${tapped.record.id}: ${fault} ${ids.slice(0, 5)} of ${ids.length}`);
    }
    if (!isLost && tapped.refused > 0) this.#findings.push(`${tapped.record.id}: ${tapped.refused} not resumed`);
  }
}

/** What is measured in one part of the time. */
class Part {
  readonly taps: LatencySamples;
  readonly pictures: LatencySamples;
  readonly #fleet: ProcessFleet;
  readonly #viewers: number;
  readonly #sinceMs = performance.now();
  readonly #cpuUs: ReadonlyMap<number, number>;

  constructor(fleet: ProcessFleet, { measureMs, samples, tapsPerSecond, viewers }: FleetLoad) {
    const seconds = measureMs / samples / 1_000 + 10;
    this.#fleet = fleet;
    this.#viewers = viewers;
    this.taps = new LatencySamples(seconds * tapsPerSecond * TAPS_PER_SECOND_STORED);
    this.pictures = new LatencySamples(seconds * viewers * PICTURES_PER_SECOND_STORED);
    this.#cpuUs = new Map(this.#pids.map((pid) => [pid, cpuTimeUs(pid) ?? 0]));
  }

  sample(endMs: number): FleetSample {
    const seconds = (performance.now() - this.#sinceMs) / 1_000;
    const { edges, hosts, nats } = this.#fleet;
    // A process that has started meanwhile has used nothing before; of one that is dead, nobody knows what it used.
    const usedUs = (pid: number) => Math.max(0, (cpuTimeUs(pid) ?? 0) - (this.#cpuUs.get(pid) ?? 0));
    const cores = (...pids: number[]) => pids.reduce((sum, pid) => sum + usedUs(pid), 0) / seconds / 1e6;
    const megabytes = (pid: number) => {
      try {
        return residentBytes(pid) / 1e6;
      } catch {
        return Number.NaN;
      }
    };
    const taps = this.taps.percentiles();
    const pictures = this.pictures.percentiles();
    const pidsOf = (processes: readonly { readonly pid: number }[]) => processes.map(({ pid }) => pid);
    return {
      endMs,
      tapsPerSecond: this.taps.count / seconds,
      tapP50Ms: taps.p50Us / 1_000,
      tapP99Ms: taps.p99Us / 1_000,
      picturesPerSecond: this.pictures.count / this.#viewers / seconds,
      pictureP50Ms: pictures.p50Us / 1_000,
      pictureP99Ms: pictures.p99Us / 1_000,
      edgesMegabytes: pidsOf(edges).map(megabytes),
      hostsMegabytes: pidsOf(hosts).map(megabytes),
      natsMegabytes: megabytes(nats.process.pid ?? 0),
      edgesCores: cores(...pidsOf(edges)),
      hostsCores: cores(...pidsOf(hosts)),
      natsCores: cores(nats.process.pid ?? 0),
      loadCores: cores(process.pid),
    };
  }

  get #pids(): readonly number[] {
    const { edges, hosts, nats } = this.#fleet;
    return [...edges.map(({ pid }) => pid), ...hosts.map(({ pid }) => pid), nats.process.pid ?? 0, process.pid];
  }
}

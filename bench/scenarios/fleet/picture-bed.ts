import { setTimeout as sleep } from 'node:timers/promises';
import type { FanOutPattern } from '../../controls/fan-out-pattern.ts';
import { Child } from '../../processes/child.ts';
import { mainThreadCpuUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { openMotion } from '../../processes/open-app.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { type ScreenAsk, screenTarget } from '../../processes/screen-target.ts';
import { startServer } from '../../processes/server-process.ts';
import { patternOf, SETTLE_MS } from '../../processes/stream-pattern.ts';
import type { ViewerTarget } from '../../viewers/viewer.ts';
import type { FleetBed } from './bed.ts';
import type { PictureRound } from './picture-figures.ts';
import type { PictureRow, PictureSender } from './picture-rows.ts';
import type { FleetService } from './rows.ts';

/** Pictures of Motion in the phone's own size have some 30 KB then. */
const ASK: ScreenAsk = { encodings: ['jpeg'], quality: 65 };

interface Sender {
  readonly target: ViewerTarget;
  /** The process of the viewers' sockets, and the one on the other side of NATS. */
  readonly socketPid: number;
  readonly senderPid: number;
}

/** What a bed of taps needs for pictures: a moving screen behind each service, the bare publisher and its bridge, and the viewers. */
export class PictureBed {
  readonly #crowd: CrowdProcess;
  readonly #senders = new Map<PictureSender, Sender>();
  readonly #stops: (() => Promise<unknown>)[] = [];

  private constructor(layout: Layout) {
    this.#crowd = new CrowdProcess({ core: coreOf(layout, 'load') });
  }

  static async open(layout: Layout, fleet: FleetBed): Promise<PictureBed> {
    const bed = new PictureBed(layout);
    try {
      const alone = await bed.#move('service alone', fleet);
      await bed.#move('edge and host', fleet, fleet.hostPid);
      await bed.#startControl(coreOf(layout, 'server'), fleet, await patternOf(bed.#crowd, alone));
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  /** Connects the row's viewers and measures what they receive. */
  async measure({ subject, viewers }: PictureRow, ms: number): Promise<PictureRound> {
    const sender = this.#senders.get(subject);
    if (!sender) throw new Error(`${subject} is not running`);
    const { target, socketPid, senderPid } = sender;
    const cpuUs = () => [socketPid, senderPid].map((pid) => mainThreadCpuUs(pid) ?? Number.NaN);
    await this.#crowd.open(target, viewers);
    try {
      await sleep(SETTLE_MS);
      const before = cpuUs();
      const seen = await this.#crowd.measure(ms, 'everybody');
      const [socketCpuUs = 0, senderCpuUs = 0] = cpuUs().map((us, at) => us - (before[at] ?? 0));
      return { seen, socketCpuUs, senderCpuUs };
    } finally {
      await this.#crowd.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#crowd.stop(), ...this.#stops.splice(0).map((stop) => stop())]);
  }

  /** Sets a screen of the service in motion, on a device that no tap is sent to. */
  async #move(server: FleetService, fleet: FleetBed, senderPid = 0): Promise<ViewerTarget> {
    const { process } = fleet.service(server);
    const session = await process.createSession('ios');
    await openMotion(process, session);
    const target = screenTarget(process, session, ASK);
    this.#senders.set(server, { target, socketPid: process.server.pid, senderPid });
    return target;
  }

  async #startControl(core: number, fleet: FleetBed, pattern: FanOutPattern): Promise<void> {
    const env = fleet.controlEnv('bench.pictures', JSON.stringify(pattern));
    const publisher = new Child({ name: 'the publisher', file: 'bench/controls/nats-publish.ts', env, core });
    this.#stops.push(() => publisher.stop());
    await publisher.spoken();
    const bridge = await startServer({ name: 'NATS bridge', file: 'bench/controls/nats-bridge.ts', env, core });
    this.#stops.push(() => bridge.stop());
    const { host, port } = bridge;
    const target = { host, port, path: '/', headers: {}, acknowledges: true };
    this.#senders.set('NATS publish', { target, socketPid: bridge.pid, senderPid: publisher.pid });
  }
}

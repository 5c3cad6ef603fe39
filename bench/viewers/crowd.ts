import { setTimeout as sleep } from 'node:timers/promises';
import { LatencySamples } from '../report/percentiles.ts';
import type { CrowdFigures, CrowdPacket, SeenBy } from './job.ts';
import { type SeenPacket, Viewer, type ViewerTarget } from './viewer.ts';

/** Number of viewers that connect at the same time, since the server's backlog of connections is limited. */
const CONNECTING_AT_ONCE = 32;
/** Number of stored delays of one measurement: 1,000 viewers at 60 pictures per second for 8 seconds. */
const DELAYS_MAX = 480_000;
/** Interval between checks whether viewers have received a picture. */
const LOOK_AGAIN_MS = 5;
/** Number of packets whose sizes are stored for controls. */
const PACKETS_KEPT = 600;

const nowUs = (): number => (performance.timeOrigin + performance.now()) * 1_000;

/** Many viewers of one screen; counts what they receive during a measurement. */
export class Crowd {
  readonly #viewers: Viewer[] = [];
  readonly #targets: readonly ViewerTarget[];
  readonly #onFailed: (error: Error) => void;
  /** Number of packets of each viewer in the current measurement. */
  #counts: number[] = [];
  #measurement: Measurement | undefined;
  #failed = false;

  constructor(targets: readonly ViewerTarget[], onFailed: (error: Error) => void) {
    this.#targets = targets;
    this.#onFailed = onFailed;
  }

  /** Connects `count` more viewers; resolves when each has its first packet. */
  async join(count: number): Promise<void> {
    const waiting = Array.from({ length: count }, (_, index) => this.#viewers.length + index);
    const work = async () => {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) await this.#open(index);
    };
    await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, work));
  }

  begin(): void {
    this.#counts = this.#viewers.map(() => 0);
    this.#measurement = new Measurement();
  }

  /** Resolves when somebody or everybody has a packet of the current measurement, or when a viewer has failed. */
  async seen(by: SeenBy): Promise<void> {
    const has = (count: number) => count > 0;
    const haveSeen = () => (by === 'everybody' ? this.#counts.every(has) : this.#counts.some(has));
    while (!this.#failed && !haveSeen()) await sleep(LOOK_AGAIN_MS);
  }

  /** Ends the current measurement. */
  end(): CrowdFigures {
    const measurement = this.#measurement;
    if (!measurement) throw new Error('no measurement runs');
    this.#measurement = undefined;
    return measurement.figures(this.#counts);
  }

  close(): void {
    for (const viewer of this.#viewers.splice(0)) viewer.close();
  }

  #open(index: number): Promise<void> {
    const target = this.#targets[index % this.#targets.length];
    if (!target) throw new Error('there is nothing to watch');
    return new Promise((resolve, reject) => {
      let seen = false;
      this.#viewers[index] = new Viewer(target, {
        opened: () => {
          // A server that sends without a request may have nothing to send yet.
          if (!target.start) resolve();
        },
        packet: (packet) => {
          if (!seen) resolve();
          seen = true;
          if (!this.#measurement) return;
          this.#counts[index] = (this.#counts[index] ?? 0) + 1;
          this.#measurement.add(packet);
        },
        failed: (error) => {
          reject(error);
          this.#failed = true;
          this.#onFailed(error);
        },
      });
    });
  }
}

class Measurement {
  readonly #startUs = nowUs();
  readonly #cpuBefore = process.cpuUsage();
  readonly #delays = new LatencySamples(DELAYS_MAX);
  readonly #packets = new Map<number, CrowdPacket>();
  #count = 0;
  #bytes = 0;
  #leftOut = 0;

  add({ bytes, capturedAtUs, key, leftOut }: SeenPacket): void {
    this.#count++;
    this.#bytes += bytes;
    this.#leftOut += leftOut;
    this.#delays.add(nowUs() - capturedAtUs);
    if (!this.#packets.has(capturedAtUs)) this.#packets.set(capturedAtUs, { capturedAtUs, bytes, key });
  }

  figures(counts: readonly number[]): CrowdFigures {
    const seconds = (nowUs() - this.#startUs) / 1e6;
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    return {
      viewers: counts.length,
      seconds,
      packets: this.#count,
      bytes: this.#bytes,
      leftOut: this.#leftOut,
      pictures: this.#packets.size,
      first: [...this.#packets.values()].slice(0, PACKETS_KEPT),
      packetsByViewer: counts,
      delay: this.#delays.percentiles(),
      coreShare: (user + system) / 1e6 / seconds,
    };
  }
}

import { LatencySamples } from '../report/percentiles.ts';
import type { LoadFigures, LoadJob } from './job.ts';

/** More answers per second than one Node.js client can read. Further samples are counted but not kept. */
const SAMPLES_PER_SECOND = 500_000;
const SAMPLES_MAX = 8_000_000;

/** Monotonic time in microseconds, of arbitrary origin. */
export const nowUs = (): number => performance.now() * 1_000;

/**
 * The measured part of a job, between the warm-up and the drain. If no answer arrives in it because the machine stalls, it
 * is extended to the first answer, so that every figure rests on at least one sample.
 */
export class MeasureWindow {
  readonly fromUs: number;
  #untilUs: number;
  readonly #samples: LatencySamples;
  readonly #startUs = nowUs();
  readonly #cpuAtStart = process.cpuUsage();
  #answers = 0;
  #answersInAll = 0;

  /** @param startUs time of the first request */
  constructor({ warmUpMs, measureMs }: Pick<LoadJob, 'warmUpMs' | 'measureMs'>, startUs: number) {
    this.fromUs = startUs + warmUpMs * 1_000;
    this.#untilUs = this.fromUs + measureMs * 1_000;
    this.#samples = new LatencySamples(Math.min(SAMPLES_MAX, Math.ceil((measureMs / 1_000) * SAMPLES_PER_SECOND)));
  }

  get untilUs(): number {
    return this.#untilUs;
  }

  /** @param atUs time of the sample, which counts if it lies in the window */
  record(atUs: number, latencyUs: number): void {
    this.#answersInAll++;
    if (atUs < this.fromUs) return;
    if (atUs >= this.#untilUs) {
      if (this.#answers > 0) return;
      this.#untilUs = atUs;
    }
    this.#answers++;
    this.#samples.add(latencyUs);
  }

  figures(): LoadFigures {
    const { user, system } = process.cpuUsage(this.#cpuAtStart);
    return {
      ...this.#samples.percentiles(),
      answers: this.#answers,
      answersInAll: this.#answersInAll,
      perSecond: this.#answers / ((this.#untilUs - this.fromUs) / 1_000_000),
      loadCoreShare: (user + system) / (nowUs() - this.#startUs),
    };
  }
}

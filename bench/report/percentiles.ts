/** Exact percentiles: every sample is stored in memory that is allocated before the measurement, and sorted after it. */

export interface Percentiles {
  readonly p50Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
}

/** Collects latencies in microseconds without allocating. */
export class LatencySamples {
  readonly #samplesUs: Float64Array;
  #count = 0;

  /** @param capacity number of stored samples; later ones count, but are not part of the percentiles */
  constructor(capacity: number) {
    this.#samplesUs = new Float64Array(capacity);
  }

  get count(): number {
    return this.#count;
  }

  add(latencyUs: number): void {
    if (this.#count < this.#samplesUs.length) this.#samplesUs[this.#count++] = latencyUs;
  }

  /** Sorts the samples; all percentiles are `NaN` if there is none. */
  percentiles(): Percentiles {
    const sortedUs = this.#samplesUs.subarray(0, this.#count).sort();
    return {
      p50Us: percentile(sortedUs, 0.5),
      p95Us: percentile(sortedUs, 0.95),
      p99Us: percentile(sortedUs, 0.99),
      p999Us: percentile(sortedUs, 0.999),
      maxUs: percentile(sortedUs, 1),
    };
  }
}

/**
 * The nearest-rank percentile: the smallest sample that is at least as large as a `share` of all samples.
 *
 * @param sorted samples in rising order
 * @param share 0 to 1
 */
export function percentile(sorted: Float64Array, share: number): number {
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two middle ones; `NaN` for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
  return (lower + upper) / 2;
}

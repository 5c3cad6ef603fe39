import { Histogram, type HistogramConfiguration } from 'prom-client';
import { LabelSeries } from './label-series.ts';

/** Upper bounds in seconds: from what a virtual device takes to what a caller gives up after. */
const BOUNDS_SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

type Labels = 'platform' | 'action';

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
  /** prom-client merges these into `labels`, and fails where they are absent. */
  readonly sharedLabels: Readonly<Record<string, never>>;
}

/**
 * A histogram by platform and action that counts in plain numbers and is put into words only when it is read:
 * `Histogram.observe` checks and hashes its labels for every event, which costs more than many an interaction.
 */
export class DurationHistogram extends Histogram<Labels> {
  readonly #about;
  readonly #series = new LabelSeries(() => ({ counts: new Float64Array(BOUNDS_SECONDS.length + 1), sumSeconds: 0 }));

  constructor(about: Pick<HistogramConfiguration<Labels>, 'name' | 'help' | 'registers'>) {
    super({ ...about, labelNames: ['platform', 'action'], buckets: [...BOUNDS_SECONDS] });
    this.#about = about;
  }

  record(platform: string, action: string, durationMs: number): void {
    const seconds = durationMs / 1_000;
    const series = this.#series.at(platform, action);
    let bucket = 0;
    while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sumSeconds += seconds;
  }

  /** What prom-client 15 makes both `get()` and the registry's text from; its type declarations leave it out. */
  async getForPromString() {
    const { name, help } = this.#about;
    const values: Sample[] = [];
    for (const [platform, action, , series] of this.#series) {
      const labels = { platform, action };
      let below = 0;
      for (const [bucket, count] of series.counts.entries()) {
        below += count;
        const le = BOUNDS_SECONDS[bucket] ?? '+Inf';
        values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: below, sharedLabels: {} });
      }
      values.push({ metricName: `${name}_sum`, labels, value: series.sumSeconds, sharedLabels: {} });
      values.push({ metricName: `${name}_count`, labels, value: below, sharedLabels: {} });
    }
    return { name, help, type: 'histogram', aggregator: 'sum', values };
  }
}

import { LabelSeries } from './label-series.ts';

/** Upper bounds in seconds: from what a virtual device takes to what a caller gives up after. */
const BOUNDS_SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60];

/**
 * A histogram by two labels at most that counts in plain numbers and is put into words only when it is read: the library's own
 * checks and hashes its labels for every event, which costs more than many an interaction, and takes counts in no other way.
 */
export class DurationHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #labels: readonly string[];
  readonly #series = new LabelSeries(() => ({ counts: new Float64Array(BOUNDS_SECONDS.length + 1), sumSeconds: 0 }));

  constructor(name: string, help: string, labels: readonly string[]) {
    this.#name = name;
    this.#help = help;
    this.#labels = labels;
  }

  /** The values of the labels come from bounded sets of plain words. */
  record(durationMs: number, first: string, second?: string): void {
    const seconds = durationMs / 1_000;
    const series = this.#series.at(first, second);
    let bucket = 0;
    while (seconds > (BOUNDS_SECONDS[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sumSeconds += seconds;
  }

  /** In the Prometheus text format, version 0.0.4; the buckets count what is in those before them, too. */
  text(): string {
    const name = this.#name;
    const lines = [`# HELP ${name} ${this.#help}`, `# TYPE ${name} histogram`];
    for (const [first, second, , { counts, sumSeconds }] of this.#series) {
      const values = [first, second];
      const labels = this.#labels.map((label, index) => `${label}="${values[index]}"`).join(',');
      let count = 0;
      counts.forEach((ofBucket, bucket) => {
        count += ofBucket;
        lines.push(`${name}_bucket{le="${BOUNDS_SECONDS[bucket] ?? '+Inf'}",${labels}} ${count}`);
      });
      lines.push(`${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }
}

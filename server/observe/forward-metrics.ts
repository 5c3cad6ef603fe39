import { Counter, type Registry } from 'prom-client';
import { DurationHistogram } from './duration-histogram.ts';
import { LabelSeries } from './label-series.ts';

/**
 * What became of a call that an edge passed on: `answered` below 400, `refused` below 500, and `failed` are the host's answers. `unreachable`: nothing
 * was sent. `lost`: it was sent, and nobody knows what came of it. `left`: its client went.
 */
export type ForwardOutcome = 'answered' | 'refused' | 'failed' | 'unreachable' | 'lost' | 'left';

/** An edge's metrics of what it passes on. */
export class ForwardMetrics {
  readonly #calls = new LabelSeries(() => ({ value: 0 }));
  readonly #durations = new DurationHistogram(
    'runcloud_forwarded_call_duration_seconds',
    'From the sending of a call to a host to the beginning of its answer',
    ['host'],
  );
  #gaps = 0;

  constructor(registry: Registry) {
    const registers = [registry];
    const calls = this.#calls;
    new Counter({
      name: 'runcloud_forwarded_calls_total',
      help: 'Calls that were passed on to a host, or should have been, by what became of them',
      labelNames: ['host', 'outcome'],
      registers,
      collect() {
        this.reset();
        for (const [host, outcome, , count] of calls) this.inc({ host, outcome }, count.value);
      },
    });
    const gaps = () => this.#gaps;
    new Counter({
      name: 'runcloud_channel_gaps_total',
      help: 'Channels to hosts that ended because a frame was lost on its way to this edge',
      registers,
      collect() {
        this.reset();
        this.inc(gaps());
      },
    });
  }

  /** @param durationMs of a call that was answered */
  called(host: string, outcome: ForwardOutcome, durationMs?: number): void {
    this.#calls.at(host, outcome).value += 1;
    if (durationMs !== undefined) this.#durations.record(durationMs, host);
  }

  gap(): void {
    this.#gaps += 1;
  }

  /** What the registry does not tell. */
  text(): string {
    return this.#durations.text();
  }
}

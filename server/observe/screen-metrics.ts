import { Counter, Gauge, type Registry } from 'prom-client';
import { LabelSeries } from './label-series.ts';

/** Counters of the live screens of one encoding, incremented in place. */
export interface ScreenFigures {
  /** Viewers that watch at present. */
  viewers: number;
  /** Runs of an encoder, as its host counts them: one for each picture, however many watch. */
  encodings: number;
  /** Packets handed to viewers' sockets, and their bytes, headers included. */
  packets: number;
  bytes: number;
  /** Pictures that viewers were not sent because their links were not free. */
  leftOut: number;
}

export const noScreenFigures = (): ScreenFigures => ({ viewers: 0, encodings: 0, packets: 0, bytes: 0, leftOut: 0 });

const COUNTERS = {
  encodings: ['runcloud_screen_encodings_total', 'Runs of screen encoders'],
  packets: ['runcloud_screen_packets_total', 'Screen packets handed to sockets'],
  bytes: ['runcloud_screen_bytes_total', 'Bytes of these packets'],
  leftOut: ['runcloud_screen_left_out_total', 'Pictures that viewers were not sent, as their links were not free'],
} as const;

/** The live screens in Prometheus' terms, by encoding. */
export class ScreenMetrics {
  readonly #figures = new LabelSeries(noScreenFigures);

  constructor(registry: Registry) {
    const figures = this.#figures;
    const common = { labelNames: ['encoding'] as const, registers: [registry] };
    new Gauge({
      ...common,
      name: 'runcloud_screen_viewers',
      help: 'Viewers of live screens',
      collect() {
        for (const [encoding, , , { viewers }] of figures) this.set({ encoding }, viewers);
      },
    });
    for (const [figure, [name, help]] of Object.entries(COUNTERS)) {
      new Counter({
        ...common,
        name,
        help,
        collect() {
          this.reset();
          for (const [encoding, , , found] of figures) this.inc({ encoding }, found[figure as keyof typeof COUNTERS]);
        },
      });
    }
  }

  of(encoding: string): ScreenFigures {
    return this.#figures.at(encoding);
  }
}

import { element } from '../../page/element.ts';
import { LatencyMeter } from '../screen/latency.ts';
import type { Viewer } from '../viewer.ts';

const EVERY_MS = 500;

const milliseconds = (value: number | undefined): string =>
  value === undefined ? '–' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** Figures of the connection. */
export class LatencyPanel {
  readonly meter = new LatencyMeter();
  readonly element = element('dl', { class: 'meter', hidden: true, 'aria-label': 'Latency' });
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(viewer: Viewer) {
    viewer.on('sent', ({ requestId }) => this.meter.sent(requestId, performance.now()));
    viewer.on('dispatched', ({ requestId, inputSeq }) => this.meter.dispatched(requestId, inputSeq));
    viewer.on('packet', ({ header, bytes }) => this.meter.arrived(bytes, header.leftOut, performance.now()));
    viewer.on('roundTrip', (ms) => this.meter.roundTrip(ms));
  }

  get shown(): boolean {
    return !this.element.hidden;
  }

  toggle(): void {
    this.element.hidden = this.shown;
    clearInterval(this.#timer);
    if (!this.shown) return;
    this.#timer = setInterval(() => this.#tick(), EVERY_MS);
    this.#tick();
  }

  #tick(): void {
    const figures = this.meter.figures(performance.now());
    const rows: readonly (readonly [string, string])[] = [
      ['Round trip', milliseconds(figures.roundTripMs)],
      ['Input to photon', milliseconds(figures.inputToPhotonMs)],
      ['FPS', String(figures.picturesPerSecond)],
      ['Data', `${Math.round(figures.kilobytesPerSecond)} kB/s`],
      ['Dropped', String(figures.picturesLeftOut)],
    ];
    this.element.replaceChildren(
      ...rows.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    );
  }
}

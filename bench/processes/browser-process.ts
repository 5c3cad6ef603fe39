import type { BrowserFigures, BrowserOrder } from '../browser/job.ts';
import { Child } from './child.ts';

/** Time past the taps that an order may take: starting a browser on a busy machine, above all. */
const ORDER_GRACE_MS = 45_000;

/** The process that taps pages in browsers, which it starts by itself. The scheduler places them. */
export class BrowserProcess {
  readonly #child = new Child({ name: 'browser process', file: 'bench/browser/main.ts' });

  /** One order at a time. Throws when a tap is not answered, the order is late or the process is gone. */
  run(order: BrowserOrder): Promise<BrowserFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

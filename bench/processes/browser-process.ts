import type { BrowserFigures, BrowserOrder } from '../browser/job.ts';
import { Child } from './child.ts';

/** Extra time of an order besides the taps, mostly for starting a browser on a busy machine. */
const ORDER_GRACE_MS = 45_000;

/** The process that taps pages in browsers, which it starts itself. None is bound to a core. */
export class BrowserProcess {
  readonly #child = new Child({ name: 'browser process', file: 'bench/browser/main.ts' });

  /** Runs one order at a time. Throws if a tap is not answered, the order is late or the process has ended. */
  run(order: BrowserOrder): Promise<BrowserFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

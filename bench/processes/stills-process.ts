import type { StillsFigures, StillsOrder } from '../stills/job.ts';
import { Child } from './child.ts';

/** Extra time of an order besides the measurement: for connecting, the warm-up, and a machine that stalls. */
const ORDER_GRACE_MS = 15_000;

/** The process that takes stills. It is not bound to a core. */
export class StillsProcess {
  readonly #child = new Child({ name: 'stills process', file: 'bench/stills/main.ts' });

  /** Runs one order at a time. Throws if a still cannot be taken or is wrong, or the process has ended. */
  run(order: StillsOrder): Promise<StillsFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

import type { StillsFigures, StillsOrder } from '../stills/job.ts';
import { Child } from './child.ts';

/** Time past the measurement itself that an order may take: connecting, the warm-up, a machine that stalls. */
const ORDER_GRACE_MS = 15_000;

/** The process that takes stills. The scheduler places it. */
export class StillsProcess {
  readonly #child = new Child({ name: 'stills process', file: 'bench/stills/main.ts' });

  /** One order at a time. Throws when a still cannot be had or is not as it must be, or the process is gone. */
  run(order: StillsOrder): Promise<StillsFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

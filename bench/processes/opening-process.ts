import type { OpeningFigures, OpeningOrder } from '../opening/job.ts';
import { Child } from './child.ts';

/** Time past the measurement itself that an order may take: the warm-up, a session that starts, a machine that stalls. */
const ORDER_GRACE_MS = 20_000;

/** The process that opens sockets and screens. The scheduler places it. */
export class OpeningProcess {
  readonly #child = new Child({ name: 'opening process', file: 'bench/opening/main.ts' });

  /** One order at a time. Throws when something cannot be opened, or the process is gone. */
  run(order: OpeningOrder): Promise<OpeningFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

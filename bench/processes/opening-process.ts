import type { OpeningFigures, OpeningOrder } from '../opening/job.ts';
import { Child } from './child.ts';

/** Extra time of an order besides the measurement: for the warm-up, the start of a session, and a machine that stalls. */
const ORDER_GRACE_MS = 20_000;

/** The process that opens sockets and screens. It is not bound to a core. */
export class OpeningProcess {
  readonly #child = new Child({ name: 'opening process', file: 'bench/opening/main.ts' });

  /** Runs one order at a time. Throws if something cannot be opened, or the process has ended. */
  run(order: OpeningOrder): Promise<OpeningFigures> {
    return this.#child.order(order, order.measureMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

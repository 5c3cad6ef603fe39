import type { PhotonFigures, PhotonOrder } from '../photon/job.ts';
import { Child } from './child.ts';

/** Time past the taps and the watching that an order may take: starting a browser on a busy machine, above all. */
const ORDER_GRACE_MS = 45_000;

/** The process that taps and looks; it starts browsers by itself. The scheduler places it. */
export class PhotonProcess {
  readonly #child = new Child({ name: 'photon process', file: 'bench/photon/main.ts' });

  /** One order at a time. Throws when a tap is not seen, the order is late or the process is gone. */
  run(order: PhotonOrder): Promise<PhotonFigures> {
    return this.#child.order(order, order.tapMs + order.stillMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

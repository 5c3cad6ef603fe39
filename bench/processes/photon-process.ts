import type { PhotonFigures, PhotonOrder } from '../photon/job.ts';
import { Child } from './child.ts';

/** Extra time of an order besides tapping and watching, mostly for starting a browser on a busy machine. */
const ORDER_GRACE_MS = 45_000;

/** The process that taps and watches. It starts browsers itself and is not bound to a core. */
export class PhotonProcess {
  readonly #child = new Child({ name: 'photon process', file: 'bench/photon/main.ts' });

  /** Runs one order at a time. Throws if a tap is not seen, the order is late or the process has ended. */
  run(order: PhotonOrder): Promise<PhotonFigures> {
    return this.#child.order(order, order.tapMs + order.stillMs + ORDER_GRACE_MS);
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

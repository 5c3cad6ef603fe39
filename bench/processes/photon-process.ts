import type { PhotonFigures, PhotonOrder, PhotonReply } from '../photon/job.ts';
import { Child } from './child.ts';

/** Time past the taps and the watching that an order may take: starting a browser on a busy machine, above all. */
const ORDER_GRACE_MS = 45_000;

/** The process that taps and looks; it starts browsers by itself. The scheduler places it. */
export class PhotonProcess {
  readonly #child = new Child({ name: 'photon process', file: 'bench/photon/main.ts' });

  /** One order at a time. Throws when a tap is not seen, the order is late or the process is gone. */
  async run(order: PhotonOrder): Promise<PhotonFigures> {
    const { process: child } = this.#child;
    const limitMs = order.tapMs + order.stillMs + ORDER_GRACE_MS;
    let timer: NodeJS.Timeout | undefined;
    const answered = new Promise<PhotonReply>((resolve, reject) => {
      child.once('message', (reply: PhotonReply) => resolve(reply));
      timer = setTimeout(() => reject(new Error(`no figures after ${limitMs} ms`)), limitMs);
      child.send(order, (error) => error && reject(error));
    });
    try {
      const reply = await Promise.race([answered, this.#child.gone()]);
      if (!reply.ok) throw new Error(reply.error);
      return reply.figures;
    } finally {
      clearTimeout(timer);
      child.removeAllListeners('message');
    }
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

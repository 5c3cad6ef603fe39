import { RecordRing } from '../flow/record-ring.ts';

/** A train must last as long as this: single acknowledgements come early and late by some milliseconds. */
const TRAIN_MS = 100;
/** Older packets tell of a link as it was. */
const TRAIN_MAX_MS = 1_000;

class Arrival {
  sentAtMs = 0;
  heardAtMs = 0;
  deliveredBytes = 0;
}

/**
 * The rate that packets sent one after the other had on their way. They cannot have arrived faster than the link lets
 * them, nor faster than they were sent: held up and bunched acknowledgements do not make it too high, and a long way
 * does not make it too low (draft-cheng-iccrg-delivery-rate-estimation).
 */
export class PacketTrain {
  /** Oldest first; none that the next arrival could not be compared with. */
  readonly #arrivals = new RecordRing(() => new Arrival());

  /**
   * Bytes a millisecond of the packets up to this one, at least what the link can do; 0 while they are too few.
   *
   * @param deliveredBytes of all packets up to this one
   */
  arrived(sentAtMs: number, heardAtMs: number, deliveredBytes: number): number {
    for (let next = this.#arrivals.at(1); next && sentAtMs - next.sentAtMs >= TRAIN_MS; next = this.#arrivals.at(1)) {
      this.#arrivals.shift();
    }
    const arrival = this.#arrivals.push();
    arrival.sentAtMs = sentAtMs;
    arrival.heardAtMs = heardAtMs;
    arrival.deliveredBytes = deliveredBytes;
    const first = this.#arrivals.at(0) ?? arrival;
    const sentForMs = sentAtMs - first.sentAtMs;
    if (sentForMs < TRAIN_MS || sentForMs > TRAIN_MAX_MS) return 0;
    return (deliveredBytes - first.deliveredBytes) / Math.max(sentForMs, heardAtMs - first.heardAtMs);
  }
}

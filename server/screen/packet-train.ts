import { NumberRing } from '../flow/number-ring.ts';

/** A train must last as long as this: single acknowledgements come early and late by some milliseconds. */
const TRAIN_MS = 100;
/** Older packets tell of a link as it was. */
const TRAIN_MAX_MS = 1_000;

/** The numbers of an arrival. */
const SENT_AT_MS = 0;
const HEARD_AT_MS = 1;
const DELIVERED_BYTES = 2;
const NUMBERS = 3;
/** As many as a train of 60 packets a second has, and some. */
const ARRIVALS_USUAL = 16;

/**
 * The rate that packets sent one after the other had on their way. They cannot have arrived faster than the link lets
 * them, nor faster than they were sent: held up and bunched acknowledgements do not make it too high, and a long way
 * does not make it too low (draft-cheng-iccrg-delivery-rate-estimation).
 */
export class PacketTrain {
  /** Oldest first; none that the next arrival could not be compared with. */
  readonly #arrivals = new NumberRing(NUMBERS, ARRIVALS_USUAL);

  /**
   * Bytes a millisecond of the packets up to this one, at least what the link can do; 0 while they are too few.
   *
   * @param deliveredBytes of all packets up to this one
   */
  arrived(sentAtMs: number, heardAtMs: number, deliveredBytes: number): number {
    const arrivals = this.#arrivals;
    while (arrivals.size > 1 && sentAtMs - (arrivals.values[arrivals.at(1) + SENT_AT_MS] as number) >= TRAIN_MS) {
      arrivals.shift();
    }
    const at = arrivals.push();
    const { values } = arrivals;
    values[at + SENT_AT_MS] = sentAtMs;
    values[at + HEARD_AT_MS] = heardAtMs;
    values[at + DELIVERED_BYTES] = deliveredBytes;
    const first = arrivals.at(0);
    const sentForMs = sentAtMs - (values[first + SENT_AT_MS] as number);
    if (sentForMs < TRAIN_MS || sentForMs > TRAIN_MAX_MS) return 0;
    const heardForMs = heardAtMs - (values[first + HEARD_AT_MS] as number);
    return (deliveredBytes - (values[first + DELIVERED_BYTES] as number)) / Math.max(sentForMs, heardForMs);
  }
}

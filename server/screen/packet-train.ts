import { NumberRing } from '../flow/number-ring.ts';

/** Minimum duration of a train, since single acknowledgements jitter by some milliseconds. */
const TRAIN_MS = 100;
/** Maximum age of a packet: older ones describe an earlier state of the link. */
const TRAIN_MAX_MS = 1_000;

/** The numbers of an arrival. */
const SENT_AT_MS = 0;
const HEARD_AT_MS = 1;
const DELIVERED_BYTES = 2;
const NUMBERS = 3;
/** More packets than a train at 60 packets per second has. */
const ARRIVALS_USUAL = 16;

/**
 * The delivery rate of consecutive packets: the lower one of their send rate and their acknowledgement rate, so that delayed and
 * bunched acknowledgements do not make it too high, and a long round trip does not make it too low
 * (draft-cheng-iccrg-delivery-rate-estimation).
 */
export class PacketTrain {
  /** Oldest first; only those that the next arrival can be compared with. */
  readonly #arrivals = new NumberRing(NUMBERS, ARRIVALS_USUAL);

  /**
   * Bytes per millisecond of the packets up to this one, a lower bound of the link's rate; 0 while they are too few.
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

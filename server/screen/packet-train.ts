/** A train must last as long as this: single acknowledgements come early and late by some milliseconds. */
const TRAIN_MS = 100;
/** Older packets tell of a link as it was. */
const TRAIN_MAX_MS = 1_000;

interface Arrival {
  readonly sentAtMs: number;
  readonly heardAtMs: number;
  readonly deliveredBytes: number;
}

/**
 * The rate that packets sent one after the other had on their way. They cannot have arrived faster than the link lets
 * them, nor faster than they were sent: held up and bunched acknowledgements do not make it too high, and a long way
 * does not make it too low (draft-cheng-iccrg-delivery-rate-estimation).
 */
export class PacketTrain {
  /** Oldest first; none that the next arrival could not be compared with. */
  readonly #arrivals: Arrival[] = [];

  /** Bytes a millisecond of the packets up to this one, at least what the link can do; 0 while they are too few. */
  arrived(arrival: Arrival): number {
    const longEnough = ({ sentAtMs }: Arrival) => arrival.sentAtMs - sentAtMs >= TRAIN_MS;
    while (this.#arrivals[1] && longEnough(this.#arrivals[1])) this.#arrivals.shift();
    this.#arrivals.push(arrival);
    const [first] = this.#arrivals;
    if (!first || !longEnough(first) || arrival.sentAtMs - first.sentAtMs > TRAIN_MAX_MS) return 0;
    const lengthMs = Math.max(arrival.sentAtMs - first.sentAtMs, arrival.heardAtMs - first.heardAtMs);
    return (arrival.deliveredBytes - first.deliveredBytes) / lengthMs;
  }
}

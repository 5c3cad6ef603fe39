/**
 * The latency that the user perceives, measured on the page's own clock: from sending an input to the first picture that
 * the input can have changed. Pure arithmetic; times are milliseconds of any one clock.
 */
export interface LatencyFigures {
  readonly roundTripMs: number | undefined;
  readonly inputToPhotonMs: number | undefined;
  readonly picturesPerSecond: number;
  readonly kilobytesPerSecond: number;
  /** Since the page connected. */
  readonly picturesShown: number;
  readonly picturesLeftOut: number;
}

interface Shown {
  readonly inputSeq: number;
  readonly atMs: number;
}

/** Inputs and pictures that are remembered: more than a second holds. */
const KEPT = 128;
/** An input that changed nothing for so long is not what a later picture shows. */
const COVERED_WITHIN_MS = 1_500;
const RATE_OVER_MS = 1_000;

export class LatencyMeter {
  /** Inputs that left the page and have no `inputSeq` yet. */
  readonly #sent = new Map<string, number>();
  /** Inputs with their `inputSeq` that no shown picture covers yet. */
  #open: { readonly inputSeq: number; readonly sentAtMs: number }[] = [];
  /** The first picture of each `inputSeq`, oldest first. */
  #shown: Shown[] = [];
  #arrivals: { readonly atMs: number; readonly bytes: number }[] = [];
  #pictures: number[] = [];
  #roundTripMs: number | undefined;
  #inputToPhotonMs: number | undefined;
  #picturesShown = 0;
  #picturesLeftOut = 0;

  sent(requestId: string, nowMs: number): void {
    this.#sent.set(requestId, nowMs);
    const oldest = this.#sent.keys().next();
    if (this.#sent.size > KEPT && !oldest.done) this.#sent.delete(oldest.value);
  }

  /** The server named the input's number. Its picture may have been shown before: the two are not ordered. */
  dispatched(requestId: string, inputSeq: number): void {
    const sentAtMs = this.#sent.get(requestId);
    if (sentAtMs === undefined) return;
    this.#sent.delete(requestId);
    const cover = this.#shown.find((shown) => shown.inputSeq >= inputSeq);
    if (cover) this.#measured(cover.atMs - sentAtMs);
    else this.#open = [...this.#open.slice(1 - KEPT), { inputSeq, sentAtMs }];
  }

  arrived(bytes: number, leftOut: number, nowMs: number): void {
    this.#arrivals.push({ atMs: nowMs, bytes });
    this.#picturesLeftOut += leftOut;
    this.#forget(nowMs);
  }

  shown(inputSeq: number, nowMs: number): void {
    this.#picturesShown += 1;
    this.#pictures.push(nowMs);
    if (this.#shown.at(-1)?.inputSeq !== inputSeq)
      this.#shown = [...this.#shown.slice(1 - KEPT), { inputSeq, atMs: nowMs }];
    // Of several inputs it is the newest that the picture answers: those before it would have had one of their own.
    const newest = this.#open.findLast((open) => open.inputSeq <= inputSeq);
    if (newest) this.#measured(nowMs - newest.sentAtMs);
    this.#open = this.#open.filter((open) => open.inputSeq > inputSeq);
    this.#forget(nowMs);
  }

  roundTrip(ms: number): void {
    this.#roundTripMs = ms;
  }

  figures(nowMs: number): LatencyFigures {
    this.#forget(nowMs);
    const bytes = this.#arrivals.reduce((sum, arrival) => sum + arrival.bytes, 0);
    return {
      roundTripMs: this.#roundTripMs,
      inputToPhotonMs: this.#inputToPhotonMs,
      picturesPerSecond: this.#pictures.length,
      kilobytesPerSecond: bytes / 1_000,
      picturesShown: this.#picturesShown,
      picturesLeftOut: this.#picturesLeftOut,
    };
  }

  #measured(ms: number): void {
    if (ms >= 0 && ms <= COVERED_WITHIN_MS) this.#inputToPhotonMs = ms;
  }

  #forget(nowMs: number): void {
    const since = nowMs - RATE_OVER_MS;
    this.#arrivals = this.#arrivals.filter(({ atMs }) => atMs > since);
    this.#pictures = this.#pictures.filter((atMs) => atMs > since);
    this.#open = this.#open.filter(({ sentAtMs }) => nowMs - sentAtMs <= COVERED_WITHIN_MS);
  }
}

import { ShortLivedMap } from '../flow/short-lived-map.ts';

/**
 * Pending calls to another thread or process: their numbers, their callers, and the end of the other side, which fails them all.
 * A call is one request, or something that lasts, such as a stream.
 */
export class PendingCalls<Waiting> {
  readonly #fail: (waiting: Waiting, reason: string) => void;
  readonly #waiting = new ShortLivedMap<number, Waiting>((call) => call);
  #last = 0;
  #endedReason: string | undefined;

  /** @param fail called once for each pending call when the other side ends, with the reason */
  constructor(fail: (waiting: Waiting, reason: string) => void) {
    this.#fail = fail;
  }

  /** Why the other side has ended; `undefined` while it is alive. */
  get endedReason(): string | undefined {
    return this.#endedReason;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** The pending calls in order. */
  get waiting(): Iterable<Waiting> {
    return this.#waiting.values();
  }

  /** Numbers a call. A call after the end fails too, once its caller has the number. */
  begin(waiting: Waiting): number {
    const call = ++this.#last;
    const reason = this.#endedReason;
    if (reason === undefined) this.#waiting.set(call, waiting);
    else queueMicrotask(() => this.#fail(waiting, reason));
    return call;
  }

  get(call: number): Waiting | undefined {
    return this.#waiting.get(call);
  }

  /** Removes and returns a call; `undefined` if it has ended or never existed. */
  take(call: number): Waiting | undefined {
    return this.#waiting.take(call);
  }

  /** Fails the matching calls. A failed caller may start a new call at once. */
  failThose(concerned: (waiting: Waiting) => boolean, reason: string): void {
    for (const call of [...this.#waiting.keys()]) {
      const waiting = this.#waiting.get(call);
      if (waiting === undefined || !concerned(waiting)) continue;
      this.#waiting.take(call);
      this.#fail(waiting, reason);
    }
  }

  /** The other side has ended: fails all pending and later calls. The first reason stands. */
  end(reason: string): void {
    if (this.#endedReason !== undefined) return;
    this.#endedReason = reason;
    this.failThose(() => true, reason);
  }
}

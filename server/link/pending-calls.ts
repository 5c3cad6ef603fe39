/**
 * Calls that are under way with another thread or process: their numbers, who waits for which, and the end of the other side,
 * which fails them all. A call is one question, or something that lasts, as a stream does.
 */
export class PendingCalls<Waiting> {
  readonly #fail: (waiting: Waiting, reason: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #endedReason: string | undefined;

  /** @param fail tells one that nothing comes any more, and why: each call that is not taken, once */
  constructor(fail: (waiting: Waiting, reason: string) => void) {
    this.#fail = fail;
  }

  /** Why nothing more is answered; `undefined` as long as the other side lives. */
  get endedReason(): string | undefined {
    return this.#endedReason;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Those that wait, in the order of their calls. */
  get waiting(): Iterable<Waiting> {
    return this.#waiting.values();
  }

  /** Numbers a call. One that comes after the end fails too, when its caller has got the number. */
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

  /** As `get`; the call is over. Calls that are over, or never were, give nothing. */
  take(call: number): Waiting | undefined {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    return waiting;
  }

  /** Fails the calls that are concerned. One that is told may begin another at once. */
  failThose(concerned: (waiting: Waiting) => boolean, reason: string): void {
    for (const [call, waiting] of [...this.#waiting]) {
      if (concerned(waiting) && this.#waiting.delete(call)) this.#fail(waiting, reason);
    }
  }

  /** The other side has ended: fails everything, now and from now on. The first reason stands. */
  end(reason: string): void {
    if (this.#endedReason !== undefined) return;
    this.#endedReason = reason;
    this.failThose(() => true, reason);
  }
}

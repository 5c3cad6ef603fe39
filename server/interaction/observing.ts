import type { Acknowledgement, Observed, UnknownReason } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Ending } from './ending.ts';
import type { RequestObserver } from './request.ts';

/** The observation of one completed request: while it runs those who wait for it, then what was seen, for as long as the outcome is kept. */
export class Observing {
  readonly #requestId: string;
  readonly #onEnded: (observed: Observed) => void;
  #waiting: RequestObserver[] = [];
  #observed: Observed | undefined;

  /** @param onEnded called once, before those who wait are told */
  constructor(requestId: string, onEnded: (observed: Observed) => void) {
    this.#requestId = requestId;
    this.#onEnded = onEnded;
  }

  /** What was seen; absent while it runs. */
  get observed(): Observed | undefined {
    return this.#observed;
  }

  /** Throws `rate_limited` when too many wait for it. */
  checkRoom(observer: RequestObserver): void {
    if (this.#observed || this.#others(observer).length < LIMITS.callersPerRequest) return;
    throw new ServiceError('rate_limited', `${LIMITS.callersPerRequest} callers wait for this request already.`, {
      retryAfterSeconds: 1,
    });
  }

  /** Tells this observer what was seen, now or at the end. */
  join(observer: RequestObserver): void {
    if (this.#observed) observer.observed?.(this.#requestId, this.#observed);
    else this.#waiting = [...this.#others(observer), observer];
  }

  /** Ends it without having seen what changed. */
  end(reason: UnknownReason): void {
    this.seen({ unknown: reason });
  }

  seen(observed: Observed): void {
    if (this.#observed) return;
    this.#observed = observed;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#onEnded(observed);
    for (const observer of waiting) observer.observed?.(this.#requestId, observed);
  }

  /** Without what this caller asked with before, and without callers that have gone. */
  #others(observer: RequestObserver): RequestObserver[] {
    return this.#waiting.filter(({ caller }) => caller === undefined || (caller !== observer.caller && !caller.gone));
  }
}

/** Tells how a request ended to one who asks again, and what was seen of it. Throws `rate_limited` when too many wait for that. */
export function replay(
  ended: { readonly ending: Ending },
  observer: RequestObserver,
  acknowledgement: Acknowledgement,
): void {
  const observing = observingOf(ended);
  observing?.checkRoom(observer);
  observer.settled(acknowledgement);
  observing?.join(observer);
}

/** The observation of a request that ended. */
export const observingOf = ({ ending }: { readonly ending: Ending | undefined }): Observing | undefined =>
  ending?.status === 'completed' ? ending.observing : undefined;

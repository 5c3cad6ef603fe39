import type { Observed, UnknownReason } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { DeadlineWheel } from '../flow/deadline-wheel.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { Journal } from './journal.ts';
import { Observing } from './observing.ts';
import type { Request } from './request.ts';

/**
 * The observations of one session that run. Each goes on beside the queue, after the end of its request, and is ended by the next input:
 * two run at a time, at most, while that one is looked at before its dispatch.
 */
export class Observations {
  readonly #device: Pick<RemoteDevice, 'observed' | 'cancel'>;
  readonly #deadlines: DeadlineWheel;
  readonly #journal: Pick<Journal, 'observed'>;
  readonly #running = new Set<Observing>();
  #isClosed = false;

  constructor(
    device: Pick<RemoteDevice, 'observed' | 'cancel'>,
    deadlines: DeadlineWheel,
    journal: Pick<Journal, 'observed'>,
  ) {
    this.#device = device;
    this.#deadlines = deadlines;
    this.#journal = journal;
  }

  /** Asks the host what it sees of a request that has just completed; that is told to those who join. */
  begin({ requestId, entry }: Request, inputSeq: number): Observing {
    let isAnswered = false;
    const observing = new Observing(requestId, (observed) => {
      deadline.cancel();
      this.#running.delete(observing);
      if (!isAnswered) this.#device.cancel(call);
      this.#journal.observed(entry, observed);
    });
    const answered = (observed: Observed): void => {
      isAnswered = true;
      observing.seen(observed);
    };
    const deadline = this.#deadlines.add(LIMITS.observationMs, () => observing.end('timed_out'));
    const call = this.#device.observed(inputSeq, {
      requestId,
      answered,
      failed: () => answered({ unknown: 'not_seen' satisfies UnknownReason }),
    });
    this.#running.add(observing);
    if (this.#isClosed) observing.end('session_ended');
    return observing;
  }

  /** The session ends. */
  close(): void {
    this.#isClosed = true;
    for (const observing of this.#running) observing.end('session_ended');
  }
}

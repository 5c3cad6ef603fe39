import { type Acknowledgement, LIMITS, ServiceError } from '@runcloud/protocol';
import type { Deadline } from '../flow/deadline-wheel.ts';
import type { Stamp } from '../flow/stamp.ts';
import type { LeaseNames } from './acknowledge.ts';
import type { Ending, Endings } from './ending.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { Standing } from './line.ts';

/** A caller that may ask more than once, and go: a socket. */
export interface Caller {
  readonly gone: boolean;
}

/** Who waits for a request: one socket or one REST call. A caller that has gone simply ignores what it is told. */
export interface Listener {
  /** Who it is: asking again replaces what the same caller asked with before. Without it, a caller of its own. */
  readonly caller?: Caller;
  /** @param queued how many requests are ahead */
  accepted?(entry: Entry, queued: number): void;
  /** The input left for the device; again with the steps done so far while a gesture runs. */
  dispatched?(entry: Entry, inputSeq: number, steps: number | undefined): void;
  /** The one terminal acknowledgement. */
  settled(acknowledgement: Acknowledgement): void;
}

/** What an entry does when its turn comes. */
export interface Work {
  /** Takes no time on the device: it may leave for the host together with others like it, which keeps them in order. */
  readonly brief: boolean;
  /** Begins; `Entry.finish` is called exactly once, when the device is done with it. */
  start(entry: Entry): void;
  /** Asks running work to end soon; `Entry.finish` still comes from the work itself. */
  stop(entry: Entry): void;
}

/** An accepted request, from its acceptance to its one terminal acknowledgement. */
export class Entry implements Standing<Entry> {
  readonly requestId: string;
  readonly action: string;
  readonly fingerprint: Fingerprint;
  readonly accepted: Stamp;
  readonly endings: Endings;
  /** What a failure names besides the session. */
  readonly lease?: LeaseNames;
  readonly work: Work;
  state: 'queued' | 'running' | 'ended' = 'queued';
  /** How a cancel, a time-out or the session's end wants the running work to end. The first wish stands. */
  wish: Ending | undefined;
  /** The newest input of this request that left for the device. */
  inputSeq: number | undefined;
  /** How it ended, and milliseconds after its acceptance: all that its acknowledgement is made from again. */
  ending: Ending | undefined;
  durationMs = 0;
  deadline: Deadline | undefined;
  before: Entry | undefined;
  behind: Entry | undefined;
  readonly #onFinish: (entry: Entry, ending: Ending) => void;
  #listeners: Listener[] | undefined;

  constructor(
    { requestId, action, endings, lease }: Pick<Entry, 'requestId' | 'action' | 'endings' | 'lease'>,
    fingerprint: Fingerprint,
    accepted: Stamp,
    work: Work,
    onFinish: (entry: Entry, ending: Ending) => void,
  ) {
    this.requestId = requestId;
    this.action = action;
    this.endings = endings;
    if (lease) this.lease = lease;
    this.fingerprint = fingerprint;
    this.accepted = accepted;
    this.work = work;
    this.#onFinish = onFinish;
  }

  /** Joins those who wait for its end, before that has come. Throws `rate_limited` when too many wait. */
  join(listener: Listener, queued: number): void {
    if (this.#listeners) this.#joinOthers(listener, this.#listeners);
    else this.#listeners = [listener];
    listener.accepted?.(this, queued);
    if (this.inputSeq !== undefined) listener.dispatched?.(this, this.inputSeq, undefined);
  }

  #joinOthers(listener: Listener, before: readonly Listener[]): void {
    // Without what this caller asked with before, and without callers that have gone.
    const others = before.filter(({ caller }) => caller === undefined || (caller !== listener.caller && !caller.gone));
    if (others.length >= LIMITS.callersPerRequest) {
      throw new ServiceError('rate_limited', `${LIMITS.callersPerRequest} callers wait for this request already.`, {
        retryAfterSeconds: 1,
      });
    }
    this.#listeners = [...others, listener];
  }

  tellDispatched(inputSeq: number, steps?: number): void {
    this.inputSeq = inputSeq;
    const listeners = this.#listeners;
    if (listeners) for (const listener of listeners) listener.dispatched?.(this, inputSeq, steps);
  }

  /** Told by the work when the device is done. */
  finish(ending: Ending): void {
    if (this.state !== 'ended') this.#onFinish(this, ending);
  }

  /** Ends the entry for good and tells those who wait. The acknowledgement itself is not kept. */
  settle(ending: Ending, durationMs: number, acknowledgement: Acknowledgement): void {
    this.state = 'ended';
    this.ending = ending;
    this.durationMs = durationMs;
    this.deadline?.cancel();
    this.deadline = undefined;
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners) for (const listener of listeners) listener.settled(acknowledgement);
  }
}

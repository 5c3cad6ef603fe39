import type { Acknowledgement } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceFault } from '../device/fault.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import type { Receiver } from '../link/host-link.ts';
import type { RecordingFault } from '../link/recording-fault.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { LeaseNames } from './acknowledge.ts';
import { completedWith, type Ending, type Endings, endingOfFault } from './ending.ts';
import type { Standing } from './line.ts';

/** A caller that may ask more than once, and go: a socket. */
export interface Caller {
  readonly gone: boolean;
}

/** Observes one request: a socket or a REST call. A caller that has gone ignores the calls. */
export interface Listener {
  /**
   * Identifies the caller: a repeated request replaces the same caller's earlier observer. Absent for a caller that
   * asks once.
   */
  readonly caller?: Caller;
  /** @param queued how many requests are ahead */
  accepted?(entry: Entry, queued: number): void;
  /** The input left for the device; again with the steps done so far while a gesture runs. */
  dispatched?(entry: Entry, inputSeq: number, steps: number | undefined): void;
  /** The one terminal acknowledgement. */
  settled(acknowledgement: Acknowledgement): void;
}

/** Carries a request out when its turn comes. */
export interface Work {
  /** Begins; `Entry.finish` is called exactly once, when the device is done with it. */
  start(entry: Entry): void;
  /** Asks running work to end soon; `Entry.finish` still comes from the work itself. */
  stop(entry: Entry): void;
}

/** A request as it was received, before it is accepted. */
export interface Job {
  readonly requestId: string;
  readonly action: string;
  /** A repetition of the same request id must have this body, defaults included. */
  readonly body: object;
  readonly timeoutMs: number;
  /** Takes no time on the device: it may leave for the host together with others like it, which keeps them in order. */
  readonly brief?: boolean;
  readonly endings: Endings;
  /** Fields that a failure carries besides the session. */
  readonly lease?: LeaseNames;
  /** @param nextInputSeq numbers an input as it leaves for the device */
  createWork(device: RemoteDevice, nextInputSeq: () => number): Work;
}

/**
 * An accepted request, from its acceptance to its one terminal acknowledgement. Thousands may wait at a time, so that it has
 * what it needs within itself.
 */
export class Entry implements Standing<Entry>, Receiver<'perform'> {
  readonly job: Job;
  readonly accepted: Timestamp;
  readonly work: Work;
  state: 'queued' | 'running' | 'ended' = 'queued';
  /** How a cancel, a time-out or the session's end wants the running work to end. The first wish stands. */
  wish: Ending | undefined;
  /** The newest input of this request that left for the device. */
  inputSeq: number | undefined;
  /** The number of the question to the device, where the work is one. */
  call = 0;
  /** How it ended, and milliseconds after its acceptance: all that its acknowledgement is made from again. */
  ending: Ending | undefined;
  durationMs = 0;
  /** When it runs out of time, or of patience once it is to end; on the monotonic clock. */
  dueMs = Number.POSITIVE_INFINITY;
  before: Entry | undefined;
  behind: Entry | undefined;
  readonly #onFinish: (entry: Entry, ending: Ending) => void;
  #listener: Listener | undefined;
  /** All of them, where there are more than one. */
  #listeners: readonly Listener[] | undefined;

  constructor(job: Job, accepted: Timestamp, work: Work, onFinish: (entry: Entry, ending: Ending) => void) {
    this.job = job;
    this.accepted = accepted;
    this.work = work;
    this.#onFinish = onFinish;
  }

  get requestId(): string {
    return this.job.requestId;
  }

  get action(): string {
    return this.job.action;
  }

  get lease(): LeaseNames | undefined {
    return this.job.lease;
  }

  /** Adds an observer of a pending request. Throws `rate_limited` when there are too many. */
  join(listener: Listener, queued: number): void {
    if (this.#listener) this.#joinOthers(listener, this.#listeners ?? [this.#listener]);
    else this.#listener = listener;
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
    if (!this.#listeners) this.#listener?.dispatched?.(this, inputSeq, steps);
    else for (const listener of this.#listeners) listener.dispatched?.(this, inputSeq, steps);
  }

  /** The device has answered the one question that the work is. */
  answered(result: Readonly<Record<string, unknown>> | undefined): void {
    this.finish(completedWith(result));
  }

  failed(fault: DeviceFault | RecordingFault): void {
    this.finish(endingOfFault(fault, this.wish));
  }

  /** Told by the work when the device is done. */
  finish(ending: Ending): void {
    if (this.state !== 'ended') this.#onFinish(this, ending);
  }

  /** Ends the request for good and tells its observers. Does not keep the acknowledgement. */
  settle(ending: Ending, durationMs: number, acknowledgement: Acknowledgement): void {
    this.state = 'ended';
    this.ending = ending;
    this.durationMs = durationMs;
    const first = this.#listener;
    const listeners = this.#listeners;
    this.#listener = undefined;
    this.#listeners = undefined;
    if (!listeners) return first?.settled(acknowledgement);
    const failures: unknown[] = [];
    for (const listener of listeners) {
      try {
        listener.settled(acknowledgement);
      } catch (error) {
        failures.push(error);
      }
    }
    // Thrown after all observers have been told.
    if (failures.length > 0) throw failures[0];
  }
}

import type { Acknowledgement, Observed } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { DeviceFault } from '../device/fault.ts';
import type { Bearer } from '../flow/quota.ts';
import type { Timestamp } from '../flow/timestamp.ts';
import type { CallObserver } from '../link/host-link.ts';
import type { RecordingFault } from '../link/recording-fault.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { LeaseIds } from './acknowledge.ts';
import { completedWith, type Ending, endingOfFault, type RequestEndings } from './ending.ts';
import type { LaneNode } from './fair-queue.ts';
import type { Participant } from './participant.ts';

/** A caller that may ask more than once, and go: a socket. */
export interface Caller {
  readonly bearer: Bearer;
  readonly gone: boolean;
}

/** Observes one request: a socket or a REST call. A caller that has gone ignores the calls. */
export interface RequestObserver {
  /**
   * Identifies the caller: a repeated request replaces the same caller's earlier observer. Absent for a caller that
   * asks once.
   */
  readonly caller?: Caller;
  /** The caller's number in the session's history. */
  readonly origin?: number;
  /** Who sends it; absent for a caller that cannot have control of the session. */
  readonly participant?: Participant | undefined;
  /** It is accepted although somebody else has control. */
  readonly isForced?: boolean;
  /** @param queued how many requests are ahead */
  accepted?(request: Request, queued: number): void;
  /** The input left for the device; again with the steps done so far while a gesture runs. */
  dispatched?(request: Request, inputSeq: number, steps: number | undefined): void;
  /** The one terminal acknowledgement. */
  settled(acknowledgement: Acknowledgement): void;
  /** What was seen of its effect: told after its acknowledgement, once, if it was to be observed and completed. */
  observed?(requestId: string, observed: Observed): void;
}

/** Carries a request out when its turn comes. */
export interface Runner {
  /** Begins; `Request.finish` is called exactly once, when the device is done with it. */
  start(request: Request): void;
  /** Asks the runner to end soon; it still calls `Request.finish`. */
  stop(request: Request): void;
  /** It has all that it needs to be as brief as a brief request; see `RequestSpec.brief`. */
  readonly isBriefNow?: boolean;
}

/** A request as it was received, before it is accepted. */
export interface RequestSpec {
  readonly requestId: string;
  readonly action: string;
  /** A repetition of the same request id must have this body, defaults included. */
  readonly body: object;
  readonly timeoutMs: number;
  /** Takes no time on the device: it may leave for the host together with others like it, which keeps them in order. */
  readonly brief?: boolean;
  readonly endings: RequestEndings;
  /** It changes nothing on the device, so that it needs no control of the session. */
  readonly isRead?: boolean;
  /** It only looks: the history does not tell of it. */
  readonly isLook?: boolean;
  /** It waits for its turn, and then holds up nobody behind it; all such requests of a session are counted. */
  readonly isAside?: boolean;
  /** Its outcome is not kept: after its end the same request is a new one. */
  readonly isForgotten?: boolean;
  /** Fields that a failure carries besides the session. */
  readonly lease?: LeaseIds;
  /** @param nextInputSeq numbers an input as it leaves for the device */
  createRunner(device: RemoteDevice, nextInputSeq: () => number): Runner;
}

/**
 * An accepted request, from its acceptance to its one terminal acknowledgement. Thousands may wait at a time, so that it has
 * what it needs within itself.
 */
export class Request implements LaneNode<Request>, CallObserver<'perform'> {
  readonly spec: RequestSpec;
  /** Whose quota it waits in. */
  readonly bearer: Bearer;
  readonly accepted: Timestamp;
  readonly runner: Runner;
  state: 'queued' | 'running' | 'ended' = 'queued';
  /** How a cancel, a time-out or the session's end asks the runner to end. The first one stands. */
  requestedEnding: Ending | undefined;
  /** The newest input of this request that left for the device. */
  inputSeq: number | undefined;
  /** Its number in the session's history; 0 where it is not kept. */
  entry = 0;
  /** The number of the link call, where the runner makes a single one. */
  call = 0;
  /** How it ended, and milliseconds after its acceptance: all that its acknowledgement is made from again. */
  ending: Ending | undefined;
  durationMs = 0;
  /** When it runs out of time, or of patience once it is to end; on the monotonic clock. */
  dueMs = Number.POSITIVE_INFINITY;
  previous: Request | undefined;
  next: Request | undefined;
  readonly #onFinish: (request: Request, ending: Ending) => void;
  readonly #onDispatched: (request: Request, inputSeq: number) => void;
  #observer: RequestObserver | undefined;
  /** All of them, where there are more than one. */
  #observers: readonly RequestObserver[] | undefined;

  constructor(
    spec: RequestSpec,
    bearer: Bearer,
    accepted: Timestamp,
    runner: Runner,
    onFinish: (request: Request, ending: Ending) => void,
    onDispatched: (request: Request, inputSeq: number) => void,
  ) {
    this.spec = spec;
    this.bearer = bearer;
    this.accepted = accepted;
    this.runner = runner;
    this.#onFinish = onFinish;
    this.#onDispatched = onDispatched;
  }

  /** All keys share one: the order of their requests is that of their acceptance. */
  get lane(): string {
    return this.bearer.kind === 'key' ? '' : this.bearer.name;
  }

  get requestId(): string {
    return this.spec.requestId;
  }

  get action(): string {
    return this.spec.action;
  }

  get isBrief(): boolean {
    return this.spec.brief === true || this.runner.isBriefNow === true;
  }

  get lease(): LeaseIds | undefined {
    return this.spec.lease;
  }

  /** Adds an observer of a pending request. Throws `rate_limited` when there are too many. */
  join(observer: RequestObserver, queued: number): void {
    if (this.#observer) this.#joinOthers(observer, this.#observers ?? [this.#observer]);
    else this.#observer = observer;
    observer.accepted?.(this, queued);
    if (this.inputSeq !== undefined) observer.dispatched?.(this, this.inputSeq, undefined);
  }

  #joinOthers(observer: RequestObserver, before: readonly RequestObserver[]): void {
    // Without what this caller asked with before, and without callers that have gone.
    const others = before.filter(({ caller }) => caller === undefined || (caller !== observer.caller && !caller.gone));
    if (others.length >= LIMITS.callersPerRequest) {
      throw new ServiceError('rate_limited', `${LIMITS.callersPerRequest} callers wait for this request already.`, {
        retryAfterSeconds: 1,
      });
    }
    this.#observers = [...others, observer];
  }

  /** Whether this caller waits for its end. */
  isOf(caller: Caller): boolean {
    return this.#observer?.caller === caller || (this.#observers?.some((one) => one.caller === caller) ?? false);
  }

  /** Nobody waits for its end any more. */
  get isAbandoned(): boolean {
    const observers = this.#observers ?? (this.#observer ? [this.#observer] : []);
    return observers.every(({ caller }) => caller?.gone ?? false);
  }

  tellDispatched(inputSeq: number, steps?: number): void {
    // Reports of the steps of one input carry its number again.
    if (this.inputSeq !== inputSeq) this.#onDispatched(this, inputSeq);
    this.inputSeq = inputSeq;
    if (!this.#observers) this.#observer?.dispatched?.(this, inputSeq, steps);
    else for (const observer of this.#observers) observer.dispatched?.(this, inputSeq, steps);
  }

  /** The device has answered the runner's single call. */
  answered(result: Readonly<Record<string, unknown>> | undefined): void {
    this.finish(completedWith(result));
  }

  failed(fault: DeviceFault | RecordingFault): void {
    this.finish(endingOfFault(fault, this.requestedEnding));
  }

  /** Called by the runner when the device is done. */
  finish(ending: Ending): void {
    if (this.state !== 'ended') this.#onFinish(this, ending);
  }

  /** Ends the request for good and tells its observers. Does not keep the acknowledgement. */
  settle(ending: Ending, durationMs: number, acknowledgement: Acknowledgement): void {
    this.state = 'ended';
    this.ending = ending;
    this.durationMs = durationMs;
    const first = this.#observer;
    const observers = this.#observers;
    this.#observer = undefined;
    this.#observers = undefined;
    const observing = ending.status === 'completed' ? ending.observing : undefined;
    if (!observers) {
      first?.settled(acknowledgement);
      if (first) observing?.join(first);
      return;
    }
    const failures: unknown[] = [];
    for (const observer of observers) {
      try {
        observer.settled(acknowledgement);
        observing?.join(observer);
      } catch (error) {
        failures.push(error);
      }
    }
    // Thrown after all observers have been told.
    if (failures.length > 0) throw failures[0];
  }
}

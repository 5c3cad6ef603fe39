import { type InteractionRequest, type PointerMessage, unsupportedReason, unsupportedTouch } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { DeadlineWheel } from '../flow/deadline-wheel.ts';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import { elapsedMs, TimestampCache } from '../flow/timestamp.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import type { LogIds, OnFault } from '../observe/log-ids.ts';
import { acknowledge, type SessionIdentity } from './acknowledge.ts';
import { DueTimes } from './due-times.ts';
import { type Ending, endingOfFault, INTERACTION_ENDINGS } from './ending.ts';
import { type Fingerprint, fingerprint, sameBody } from './fingerprint.ts';
import { LinkedQueue } from './linked-queue.ts';
import { LiveGesture } from './live-gesture.ts';
import { PerformRunner, PerformSpec } from './perform-runner.ts';
import { Request, type RequestObserver, type RequestSpec } from './request.ts';
import { RequestIndex } from './request-index.ts';

/** Time limit for a cancelled device to answer; after that it counts as lost. */
const STOP_GRACE_MS = 5_000;
/** How long the loop that ends waiting requests may run before it yields. */
const ENDING_MS = 0.5;

export interface InteractionsOptions {
  readonly identity: SessionIdentity;
  readonly device: RemoteDevice;
  readonly clock: Clock;
  readonly deadlines: DeadlineWheel;
  /** Receives each ended request, for the metrics. */
  readonly onEnded: (request: Request) => void;
  readonly onUnresponsive: (reason: string) => void;
  /** Runs a task when the session's account has its turn at the event loop; at once when absent. */
  readonly turn?: (task: () => void) => void;
  /** Receives errors of our own, each of which ends one request at most. */
  readonly onFault?: OnFault;
}

/**
 * The one queue of a session, shared by all its sockets and REST calls: first accepted, first dispatched, one at a
 * time, and exactly one terminal acknowledgement for each accepted request. Brief requests that have gathered while the
 * device was busy leave together; its host takes them one at a time.
 */
export class SessionInteractions {
  readonly #options: InteractionsOptions;
  readonly #requests: RequestIndex;
  /** Waiting requests in the order of their acceptance. */
  readonly #queue = new LinkedQueue<Request>();
  /** Requests that were sent to the device and not answered, oldest first. */
  readonly #running = new LinkedQueue<Request>();
  readonly #dueTimes: DueTimes<Request>;
  readonly #performing: PerformRunner;
  readonly #stamps: TimestampCache;
  #inputSeq = 0;
  #ended = false;
  /** Called when the last running request has ended. */
  #wakeIdle: (() => void)[] = [];

  constructor(options: InteractionsOptions) {
    this.#options = options;
    const { clock, deadlines, device, turn = (task) => task() } = options;
    this.#requests = new RequestIndex(clock);
    const pending = () => this.#requests.allPending;
    this.#dueTimes = new DueTimes({
      clock,
      deadlines,
      pending,
      onDue: (request) => this.#onDue(request),
      turn,
      onFault: (error, request) => this.#onDueFault(error, request),
    });
    this.#stamps = new TimestampCache(clock);
    this.#performing = new PerformRunner(device, this.#nextInputSeq);
  }

  /**
   * Accepts a request, or joins the one with the same id and body. Throws `ServiceError` for a request that cannot be
   * accepted: `unsupported_action`, `duplicate_request`, `rate_limited`, `active_session_not_found`.
   */
  submit(request: InteractionRequest, observer: RequestObserver): void {
    const { identity, device } = this.#options;
    const reason = unsupportedReason(request, device.capabilities, identity.platform);
    if (reason) throw new ServiceError('unsupported_action', reason);
    this.accept(new PerformSpec(request, this.#performing), observer);
  }

  /**
   * Opens a live gesture or takes its next step; refusals as for `submit`, and `invalid_interaction`. Tells whether
   * this call began a gesture, as the same `begin` a second time does not.
   */
  pointer(message: PointerMessage, observer: RequestObserver): boolean {
    const { requestId, phase, points, timeoutMs } = message;
    if (phase === 'begin') {
      const reason = unsupportedTouch(points.length, this.#options.device.capabilities);
      if (reason) throw new ServiceError('unsupported_action', reason);
      const inForceMs = timeoutMs ?? LIMITS.interactionTimeoutMs.default;
      const begin = points.map(({ x, y }) => ({ x: x + 0, y: y + 0 }));
      const body = { begin, timeoutMs: inForceMs };
      const createRunner: RequestSpec['createRunner'] = (device, next) =>
        new LiveGesture(device, begin, next, inForceMs);
      const spec = {
        requestId,
        action: 'pointer',
        body,
        timeoutMs: inForceMs,
        endings: INTERACTION_ENDINGS,
        createRunner,
      };
      return this.accept(spec, observer);
    }
    const request = this.#requests.pending(requestId);
    // The gesture may have ended while this step was on its way.
    if (!request && this.#requests.ended(requestId)) return false;
    if (!request) throw new ServiceError('invalid_interaction', `No live gesture was started as "${requestId}".`);
    if (!(request.runner instanceof LiveGesture)) {
      throw new ServiceError('invalid_interaction', `"${requestId}" is not a live gesture.`);
    }
    const refused = request.runner.step(phase, points);
    if (refused) throw new ServiceError('invalid_interaction', `"${refused.path}" ${refused.message}.`);
    // A gesture that is being ended keeps the time that its device has to let go.
    if (!request.requestedEnding) this.#setDue(request, request.runner.timeoutMs);
    return false;
  }

  /**
   * Cancels what waits or runs under this id; `false` when nothing does. A request that has not come yet is cancelled
   * on arrival.
   */
  cancel(requestId: string): boolean {
    const request = this.#requests.pending(requestId);
    if (!request) {
      if (!this.#requests.ended(requestId)) this.#requests.rememberCancel(requestId);
      return false;
    }
    this.#stop(request, request.spec.endings.cancelled);
    return true;
  }

  /** Ends everything that waits or runs; resolves when the device is done with it. New requests are refused. */
  async end(): Promise<void> {
    this.#ended = true;
    const told = this.#endWaiting();
    if (this.#running.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#wakeIdle.push(resolve);
      });
      for (const request of [...this.#running]) this.#stop(request, request.spec.endings.sessionEnded);
      await idle;
    }
    await told;
  }

  /** Ends waiting requests in several slices, since there may be thousands. */
  async #endWaiting(): Promise<void> {
    const { clock, turn } = this.#options;
    let sinceMs = clock.monotonicMs();
    for (const request of [...this.#queue]) {
      this.#stop(request, request.spec.endings.sessionEnded);
      if (!turn || clock.monotonicMs() - sinceMs < ENDING_MS) continue;
      await new Promise<void>((resolve) => turn(resolve));
      sinceMs = clock.monotonicMs();
    }
  }

  readonly #nextInputSeq = (): number => {
    // The screen packet carries it in 32 bits, and 0 means that no input came yet.
    this.#inputSeq = this.#inputSeq === 0xffff_ffff ? 1 : this.#inputSeq + 1;
    return this.#inputSeq;
  };

  /**
   * Gives a request its place in the queue, or joins the one with the same id and body; true when it is a new one that
   * has not ended at once. Throws `duplicate_request`, `rate_limited`, or what its kind is refused with after the end.
   */
  accept(spec: RequestSpec, observer: RequestObserver): boolean {
    const { requestId, action, endings } = spec;
    if (this.#ended) throw new ServiceError(endings.afterEnd);
    const { identity, device } = this.#options;
    const accepted = this.#stamps.now();
    const pending = this.#requests.pending(requestId);
    if (pending) {
      checkSame(spec, pending.action, fingerprint(action, pending.spec.body));
      pending.join(observer, this.#ahead(pending));
      return false;
    }
    const ended = this.#requests.ended(requestId, accepted.monotonicMs);
    if (ended) {
      checkSame(spec, ended.action, ended.fingerprint);
      observer.settled(acknowledge(identity, ended, ended.ending, ended.durationMs));
      return false;
    }
    if (this.#queue.size >= LIMITS.queuedInteractions) {
      throw new ServiceError('rate_limited', `The session has ${LIMITS.queuedInteractions} interactions waiting.`, {
        retryAfterSeconds: 1,
      });
    }
    const request = new Request(spec, accepted, spec.createRunner(device, this.#nextInputSeq), this.#onFinish);
    this.#requests.add(request);
    this.#dueTimes.set(request, spec.timeoutMs, accepted.monotonicMs);
    request.join(observer, this.#queue.size + this.#running.size);
    this.#queue.push(request);
    if (this.#requests.takeCancel(requestId)) this.#stop(request, endings.cancelled);
    this.#startNext();
    return request.state !== 'ended';
  }

  #ahead(request: Request): number {
    let ahead = request.state === 'queued' ? this.#running.size : 0;
    for (let one = request.previous; one; one = one.previous) ahead++;
    return ahead;
  }

  #startNext(): void {
    if (this.#running.size > 0) return;
    // At the session's end, `#endWaiting` ends the waiting requests.
    let next = this.#ended ? undefined : this.#queue.first;
    if (!next) {
      for (const wake of this.#wakeIdle.splice(0)) wake();
      return;
    }
    const together = next.spec.brief ? LIMITS.interactionsAhead : 1;
    do {
      this.#queue.remove(next);
      this.#running.push(next);
      next.state = 'running';
      next.runner.start(next);
      next = this.#queue.first;
    } while (next?.spec.brief && this.#running.size < together);
  }

  #setDue(request: Request, delayMs: number): void {
    this.#dueTimes.set(request, delayMs, this.#options.clock.monotonicMs());
  }

  #onDue(request: Request): void {
    if (!request.requestedEnding) return this.#stop(request, request.spec.endings.timedOut);
    // Told first, so that nothing more is sent to this device when the request makes room.
    this.#options.onUnresponsive('The device did not let go of an interaction that was ended.');
    request.finish(request.requestedEnding);
  }

  /** It could not be ended as it should; without an end its caller would wait, and so would all behind it. */
  #onDueFault(error: unknown, request: Request): void {
    const { onFault = throwUncaught } = this.#options;
    onFault(error, this.#idsOf(request));
    if (request.state === 'queued') this.#queue.remove(request);
    request.finish(endingOfFault(error, undefined));
  }

  /** Ends a waiting request at once; a running one when its device has let go. */
  #stop(request: Request, requestedEnding: Ending): void {
    if (request.state === 'queued') {
      this.#queue.remove(request);
      return this.#onFinish(request, requestedEnding);
    }
    if (request.state === 'ended' || request.requestedEnding) return;
    request.requestedEnding = requestedEnding;
    this.#setDue(request, STOP_GRACE_MS);
    request.runner.stop(request);
  }

  #idsOf({ requestId }: Request): LogIds {
    return { sessionId: this.#options.identity.sessionId, requestId };
  }

  readonly #onFinish = (request: Request, ending: Ending): void => {
    const { identity, clock, onEnded, onFault = throwUncaught } = this.#options;
    const durationMs = elapsedMs(request.accepted, clock);
    const wasRunning = request.state === 'running';
    // An observer may submit the request again at once.
    this.#requests.conclude(request, ending, durationMs);
    if (this.#requests.pendingCount === 0) this.#dueTimes.clear();
    try {
      request.settle(ending, durationMs, acknowledge(identity, request, ending, durationMs));
      onEnded(request);
    } catch (error) {
      // An observer that fails must not hold up the requests behind it.
      onFault(error, this.#idsOf(request));
    }
    if (!wasRunning) return;
    this.#running.remove(request);
    // A request sent while others are still out would need a link message of its own.
    if (this.#running.size === 0) this.#startNext();
  };
}

/** An id that is in use already must come with the same action and body. */
function checkSame({ action, body }: RequestSpec, knownAction: string, known: Fingerprint): void {
  if (knownAction !== action || !sameBody(known, fingerprint(action, body)))
    throw new ServiceError('duplicate_request');
}

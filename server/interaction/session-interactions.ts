import {
  type HistoryOrigin,
  type InteractionRequest,
  type Point,
  type PointerMessage,
  type PointerPhase,
  unsupportedReason,
  unsupportedTouch,
} from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { DeadlineWheel } from '../flow/deadline-wheel.ts';
import { type Bearer, Quota } from '../flow/quota.ts';
import { throwUncaught } from '../flow/throw-uncaught.ts';
import { TimestampCache } from '../flow/timestamp.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { reached } from '../link/stages.ts';
import type { LogIds, OnFault } from '../observe/log-ids.ts';
import { acknowledge, type SessionIdentity } from './acknowledge.ts';
import type { ControlLease } from './control-lease.ts';
import { DueTimes } from './due-times.ts';
import type { EndedRequest } from './ended-requests.ts';
import { type Ending, endingOfFault, INTERACTION_ENDINGS } from './ending.ts';
import { FairQueue } from './fair-queue.ts';
import { type Fingerprint, fingerprint, sameBody } from './fingerprint.ts';
import { type Journal, NO_JOURNAL } from './journal.ts';
import { LinkedQueue } from './linked-queue.ts';
import { LiveGesture } from './live-gesture.ts';
import { Observations } from './observations.ts';
import { observingOf, replay } from './observing.ts';
import { NO_PAST_REQUESTS, type PastRequests } from './past-requests.ts';
import { type ClaimApp, type OnTouch, Performing } from './perform-runner.ts';
import { ASIDE_TERMS, QUEUE_TERMS } from './queue-terms.ts';
import { type Caller, Request, type RequestObserver, type RequestSpec } from './request.ts';
import { RequestIndex } from './request-index.ts';

/** Time limit for a cancelled device to answer; after that it counts as lost. */
const STOP_GRACE_MS = 5_000;
/** A call over REST, which has a key. */
const ONE_CALL: Bearer = { name: 'REST', kind: 'key' };
/** How long the loop that ends waiting requests may run before it yields. */
const ENDING_MS = 0.5;

export interface InteractionsOptions {
  readonly identity: SessionIdentity;
  readonly device: RemoteDevice;
  readonly clock: Clock;
  readonly deadlines: DeadlineWheel;
  /** Takes down what is done; nothing does when absent. */
  readonly journal?: Journal;
  /** Whether the journal is told what is under each touch. */
  readonly notesElements?: boolean;
  /** Of a session that goes on. */
  readonly past?: PastRequests | undefined;
  /** Receives each ended request, for the metrics. */
  readonly onEnded: (request: Request) => void;
  readonly onUnresponsive: (reason: string) => void;
  /** Runs a task when the session's account has its turn at the event loop; at once when absent. */
  readonly turn?: (task: () => void) => void;
  /** Nothing can be installed when absent. */
  readonly claimApp?: ClaimApp;
  /** Receives errors of our own, each of which ends one request at most. */
  readonly onFault?: OnFault;
}

/**
 * The one queue of a session, shared by all its sockets and REST calls: one at a time, and exactly one terminal acknowledgement
 * for each accepted request. Of the owner's keys, and of each link, the first accepted is the first dispatched; keys and links take
 * turns. Brief requests that have gathered while the device was busy, and live gestures whose end has come, leave together; its host takes
 * them one at a time.
 */
export class SessionInteractions {
  readonly #options: InteractionsOptions;
  readonly #requests: RequestIndex;
  /** Waiting requests: those of one bearer in the order of their acceptance. */
  readonly #queue = new FairQueue<Request>();
  readonly #quota: Quota;
  /** Requests that were sent to the device and not answered, oldest first. */
  readonly #running = new LinkedQueue<Request>();
  /** Requests that have had their turn, and go on without holding up those behind them. */
  readonly #aside = new Set<Request>();
  readonly #asideQuota: Quota;
  readonly #dueTimes: DueTimes<Request>;
  readonly #performing: Performing;
  readonly #observations: Observations;
  readonly #stamps: TimestampCache;
  readonly #journal: Journal;
  #inputSeq: number;
  #ended = false;
  /** When the requests that are being started leave, on the monotonic clock: one reading for all of them. */
  #startedAtMs: number | undefined;
  /** The batch of answers whose requests are being ended, and when it came. */
  #batch = 0;
  #batchMs = 0;
  /** Decides whose input is accepted; everybody's without it. */
  #control: Pick<ControlLease, 'admit' | 'renew'> | undefined;
  /** Called when the last running request has ended. */
  #wakeIdle: (() => void)[] = [];

  constructor(options: InteractionsOptions) {
    this.#options = options;
    const { clock, deadlines, device, journal = NO_JOURNAL, turn = (task) => task(), claimApp } = options;
    const { past = NO_PAST_REQUESTS } = options;
    this.#journal = journal;
    this.#requests = new RequestIndex(clock, past.ended);
    this.#inputSeq = past.inputSeq;
    const pending = () => this.#requests.allPending;
    this.#dueTimes = new DueTimes({
      clock,
      deadlines,
      pending,
      onDue: (request) => this.#onDue(request),
      turn,
      onFault: (error, request) => this.#onDueFault(error, request),
    });
    this.#quota = new Quota(QUEUE_TERMS, clock);
    this.#asideQuota = new Quota(ASIDE_TERMS, clock);
    this.#stamps = new TimestampCache(clock);
    this.#observations = new Observations(device, deadlines, journal);
    this.#performing = new Performing(device, this.#nextInputSeq, this.#onTouch, this.#observations, claimApp);
  }

  /** From now on accepts only the input of whoever has control. */
  obey(control: Pick<ControlLease, 'admit' | 'renew'>): void {
    this.#control = control;
  }

  /**
   * Accepts a request, or joins the one with the same id and body. Throws `ServiceError` for a request that cannot be
   * accepted: `unsupported_action`, `duplicate_request`, `not_in_control`, `rate_limited`, `active_session_not_found`.
   */
  submit(request: InteractionRequest, observer: RequestObserver): void {
    const { identity, device } = this.#options;
    const reason = unsupportedReason(request, device.capabilities, identity.platform);
    if (reason) throw new ServiceError('unsupported_action', reason);
    this.accept(this.#performing.specOf(request), observer);
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
        new LiveGesture(device, begin, next, inForceMs, { onStep: this.#onStep, onTouch: this.#onTouch });
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
    if (!request.requestedEnding) {
      this.#setDue(request, request.runner.timeoutMs);
      this.#control?.renew(observer.participant);
    }
    return false;
  }

  /**
   * Cancels what waits or runs under this id; `false` when nothing does. A request that has not come yet is cancelled
   * on arrival.
   */
  cancel(requestId: string): boolean {
    const request = this.#requests.pending(requestId);
    if (!request) {
      const ended = this.#requests.ended(requestId);
      if (!ended) this.#requests.rememberCancel(requestId);
      else observingOf(ended)?.end('cancelled');
      return false;
    }
    this.#stop(request, request.spec.endings.cancelled);
    return true;
  }

  /** A caller has gone for good: what only tells it something is ended. */
  leave(caller: Caller): void {
    for (const request of this.pendingOf(caller)) {
      if (request.spec.isAside && request.isAbandoned) this.#stop(request, request.spec.endings.cancelled);
    }
  }

  /** The requests that a caller waits for, in the order of their acceptance. */
  pendingOf(caller: Caller): readonly Request[] {
    return [...this.#requests.allPending].filter((request) => request.isOf(caller));
  }

  /** Ends everything that waits or runs; resolves when the device is done with it. New requests are refused. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#observations.close();
    const told = this.#endWaiting();
    if (this.#running.size + this.#aside.size > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#wakeIdle.push(resolve);
      });
      for (const request of [...this.#running, ...this.#aside]) this.#stop(request, request.spec.endings.sessionEnded);
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
   * has not ended at once. Throws `duplicate_request`, `not_in_control`, `rate_limited`, or what its kind is refused with after the end.
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
      replay(ended, observer, acknowledge(identity, ended, ended.ending, ended.durationMs));
      return false;
    }
    // After the look for an earlier request of this id: its outcome is its sender's, whoever has control now.
    if (!spec.isRead && !observer.isForced) this.#control?.admit(observer.participant);
    const bearer = observer.caller?.bearer ?? ONE_CALL;
    const runner = spec.createRunner(device, this.#nextInputSeq);
    if (spec.isAside) this.#asideQuota.check(bearer);
    this.#quota.take(bearer);
    if (spec.isAside) this.#asideQuota.add(bearer);
    const request = new Request(spec, bearer, accepted, runner, this.#onFinish, this.#onDispatched);
    request.entry = spec.isLook ? 0 : this.#journal.accepted(request, observer.origin ?? 0);
    this.#requests.add(request);
    this.#dueTimes.set(request, spec.timeoutMs, accepted.monotonicMs);
    this.#queue.push(request);
    request.join(observer, this.#ahead(request));
    if (this.#requests.takeCancel(requestId)) this.#stop(request, endings.cancelled);
    this.#startNext(accepted.monotonicMs);
    return request.state !== 'ended';
  }

  /** The number of a caller in the session's history, for its observers. */
  origin(by: HistoryOrigin): number {
    return this.#journal.origin(by);
  }

  /** How a request stands that waits or runs, or that has ended within ten minutes. */
  standing(requestId: string): Request | EndedRequest | undefined {
    return this.#requests.pending(requestId) ?? this.#requests.ended(requestId);
  }

  readonly #onDispatched = (request: Request, inputSeq: number): void => {
    const atMs = this.#startedAtMs ?? this.#options.clock.monotonicMs();
    reached('dispatched', inputSeq);
    this.#journal.dispatched(request.entry, inputSeq, Math.max(0, atMs - request.accepted.monotonicMs));
  };

  readonly #onStep = (request: Request, phase: PointerPhase, points: readonly Point[]): void => {
    const afterMs = (this.#startedAtMs ?? this.#options.clock.monotonicMs()) - request.accepted.monotonicMs;
    this.#journal.step(request.entry, phase, points, afterMs);
  };

  /** Called in the turn in which an input leaves for the device, before it does. */
  readonly #onTouch: OnTouch = (request, place) => {
    if (!this.#options.notesElements || request.entry === 0) return;
    const { answered } = this.#options.device.touchedAt(place, { requestId: request.requestId });
    answered.then(
      (touched) => touched && this.#journal.touched(request.entry, touched),
      // Nothing of the touch depends on it.
      () => undefined,
    );
  };

  #ahead(request: Request): number {
    if (request.state === 'queued') return this.#running.size + this.#queue.ahead(request);
    let ahead = 0;
    for (let one = request.previous; one; one = one.previous) ahead++;
    return ahead;
  }

  /** @param nowMs on the monotonic clock, as it was just read */
  #startNext(nowMs: number): void {
    if (this.#running.size > 0) return;
    // At the session's end, `#endWaiting` ends the waiting requests.
    let next = this.#ended ? undefined : this.#passAsides();
    if (!next) {
      if (this.#aside.size > 0) return;
      for (const wake of this.#wakeIdle.splice(0)) wake();
      return;
    }
    const together = next.isBrief ? LIMITS.interactionsAhead : 1;
    this.#startedAtMs = nowMs;
    try {
      do {
        this.#queue.shift();
        this.#quota.giveBack(next.bearer);
        this.#running.push(next);
        next.state = 'running';
        next.runner.start(next);
        next = this.#queue.first;
      } while (next?.isBrief && this.#running.size < together);
    } finally {
      this.#startedAtMs = undefined;
    }
  }

  /** Begins those at the head of the queue that hold up nobody, and gives the first that does. */
  #passAsides(): Request | undefined {
    for (;;) {
      const next = this.#queue.first;
      if (!next?.spec.isAside) return next;
      this.#unqueue(next);
      this.#aside.add(next);
      next.state = 'running';
      next.runner.start(next);
    }
  }

  #unqueue(request: Request): void {
    this.#queue.remove(request);
    this.#quota.giveBack(request.bearer);
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
    if (request.state === 'queued') this.#unqueue(request);
    request.finish(endingOfFault(error, undefined));
  }

  /** Ends a waiting request at once; a running one when its device has let go. */
  #stop(request: Request, requestedEnding: Ending): void {
    if (request.state === 'queued') {
      this.#unqueue(request);
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

  /** Answers of one batch have come at one moment. Under load a reading of the clock for each costs more than queueing it. */
  #endedAtMs(): number {
    const { clock, device } = this.#options;
    if (device.batch === 0 || device.batch !== this.#batch) {
      this.#batch = device.batch;
      this.#batchMs = clock.monotonicMs();
    }
    return this.#batchMs;
  }

  readonly #onFinish = (request: Request, ending: Ending): void => {
    const { identity, onEnded, onFault = throwUncaught } = this.#options;
    const nowMs = this.#endedAtMs();
    const durationMs = Math.max(0, Math.round(nowMs - request.accepted.monotonicMs));
    const { isAside } = request.spec;
    const wasRunning = request.state === 'running';
    this.#journal.ended(request.entry, ending, durationMs);
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
    if (isAside) {
      this.#asideQuota.giveBack(request.bearer);
      this.#aside.delete(request);
    }
    if (!wasRunning) return;
    if (!isAside) this.#running.remove(request);
    // A request sent while others are still out would need a link message of its own.
    if (this.#running.size === 0) this.#startNext(nowMs);
  };
}

/** An id that is in use already must come with the same action and body. */
function checkSame({ action, body }: RequestSpec, knownAction: string, known: Fingerprint): void {
  if (knownAction !== action || !sameBody(known, fingerprint(action, body)))
    throw new ServiceError('duplicate_request');
}

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
import { Entry, type Job, type Listener } from './entry.ts';
import { type Fingerprint, fingerprint, sameBody } from './fingerprint.ts';
import { Line } from './line.ts';
import { LiveGesture } from './live-gesture.ts';
import { Outcomes } from './outcomes.ts';
import { PerformJob, PerformWork } from './perform-work.ts';

/** A device that has been told to stop and still does not answer after this time is given up. */
const STOP_GRACE_MS = 5_000;
/** How long the loop that ends waiting requests may run before it yields. */
const ENDING_MS = 0.5;

export interface InteractionsOptions {
  readonly identity: SessionIdentity;
  readonly device: RemoteDevice;
  readonly clock: Clock;
  readonly deadlines: DeadlineWheel;
  /** Receives each ended request, for the metrics. */
  readonly onEnded: (entry: Entry) => void;
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
  readonly #outcomes: Outcomes;
  /** Waiting entries in the order of their acceptance. */
  readonly #queue = new Line<Entry>();
  /** Requests that were sent to the device and not answered, oldest first. */
  readonly #running = new Line<Entry>();
  readonly #dueTimes: DueTimes<Entry>;
  readonly #performing: PerformWork;
  readonly #stamps: TimestampCache;
  #inputSeq = 0;
  #ended = false;
  /** Called when the last running request has ended. */
  #wakeIdle: (() => void)[] = [];

  constructor(options: InteractionsOptions) {
    this.#options = options;
    const { clock, deadlines, device, turn = (task) => task() } = options;
    this.#outcomes = new Outcomes(clock);
    const pending = () => this.#outcomes.allPending;
    this.#dueTimes = new DueTimes({
      clock,
      deadlines,
      pending,
      onDue: (entry) => this.#onDue(entry),
      turn,
      onFault: (error, entry) => this.#onDueFault(error, entry),
    });
    this.#stamps = new TimestampCache(clock);
    this.#performing = new PerformWork(device, this.#nextInputSeq);
  }

  /**
   * Accepts a request, or joins the one with the same id and body. Throws `ServiceError` for a request that cannot be
   * accepted: `unsupported_action`, `duplicate_request`, `rate_limited`, `active_session_not_found`.
   */
  submit(request: InteractionRequest, listener: Listener): void {
    const { identity, device } = this.#options;
    const reason = unsupportedReason(request, device.capabilities, identity.platform);
    if (reason) throw new ServiceError('unsupported_action', reason);
    this.accept(new PerformJob(request, this.#performing), listener);
  }

  /**
   * Opens a live gesture or takes its next step; refusals as for `submit`, and `invalid_interaction`. Tells whether
   * this call began a gesture, as the same `begin` a second time does not.
   */
  pointer(message: PointerMessage, listener: Listener): boolean {
    const { requestId, phase, points, timeoutMs } = message;
    if (phase === 'begin') {
      const reason = unsupportedTouch(points.length, this.#options.device.capabilities);
      if (reason) throw new ServiceError('unsupported_action', reason);
      const inForceMs = timeoutMs ?? LIMITS.interactionTimeoutMs.default;
      const begin = points.map(({ x, y }) => ({ x: x + 0, y: y + 0 }));
      const body = { begin, timeoutMs: inForceMs };
      const createWork: Job['createWork'] = (device, next) => new LiveGesture(device, begin, next, inForceMs);
      const job = {
        requestId,
        action: 'pointer',
        body,
        timeoutMs: inForceMs,
        endings: INTERACTION_ENDINGS,
        createWork,
      };
      return this.accept(job, listener);
    }
    const entry = this.#outcomes.pending(requestId);
    // The gesture may have ended while this step was on its way.
    if (!entry && this.#outcomes.ended(requestId)) return false;
    if (!entry) throw new ServiceError('invalid_interaction', `No live gesture was begun as "${requestId}".`);
    if (!(entry.work instanceof LiveGesture)) {
      throw new ServiceError('invalid_interaction', `"${requestId}" is not a live gesture.`);
    }
    const refused = entry.work.step(phase, points);
    if (refused) throw new ServiceError('invalid_interaction', `"${refused.path}" ${refused.message}.`);
    // A gesture that is being ended keeps the time that its device has to let go.
    if (!entry.wish) this.#setDue(entry, entry.work.timeoutMs);
    return false;
  }

  /**
   * Cancels what waits or runs under this id; `false` when nothing does. A request that has not come yet is cancelled
   * on arrival.
   */
  cancel(requestId: string): boolean {
    const entry = this.#outcomes.pending(requestId);
    if (!entry) {
      if (!this.#outcomes.ended(requestId)) this.#outcomes.rememberCancel(requestId);
      return false;
    }
    this.#stop(entry, entry.job.endings.cancelled);
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
      for (const entry of [...this.#running]) this.#stop(entry, entry.job.endings.sessionEnded);
      await idle;
    }
    await told;
  }

  /** Thousands may wait: they are told in several turns. */
  async #endWaiting(): Promise<void> {
    const { clock, turn } = this.#options;
    let sinceMs = clock.monotonicMs();
    for (const entry of [...this.#queue]) {
      this.#stop(entry, entry.job.endings.sessionEnded);
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
   * Gives a job its place in the queue, or joins the one with the same id and body; tells whether it is a new one that
   * has not ended at once. Throws `duplicate_request`, `rate_limited`, or what the job's kind is refused with after the end.
   */
  accept(job: Job, listener: Listener): boolean {
    const { requestId, action, endings } = job;
    if (this.#ended) throw new ServiceError(endings.afterEnd);
    const { identity, device } = this.#options;
    const accepted = this.#stamps.now();
    const pending = this.#outcomes.pending(requestId);
    if (pending) {
      checkSame(job, pending.action, fingerprint(action, pending.job.body));
      pending.join(listener, this.#ahead(pending));
      return false;
    }
    const ended = this.#outcomes.ended(requestId, accepted.monotonicMs);
    if (ended) {
      checkSame(job, ended.action, ended.fingerprint);
      listener.settled(acknowledge(identity, ended, ended.ending, ended.durationMs));
      return false;
    }
    if (this.#queue.size >= LIMITS.queuedInteractions) {
      throw new ServiceError('rate_limited', `The session has ${LIMITS.queuedInteractions} interactions waiting.`, {
        retryAfterSeconds: 1,
      });
    }
    const entry = new Entry(job, accepted, job.createWork(device, this.#nextInputSeq), this.#onFinish);
    this.#outcomes.add(entry);
    this.#dueTimes.set(entry, job.timeoutMs, accepted.monotonicMs);
    entry.join(listener, this.#queue.size + this.#running.size);
    this.#queue.join(entry);
    if (this.#outcomes.takeCancel(requestId)) this.#stop(entry, endings.cancelled);
    this.#startNext();
    return entry.state !== 'ended';
  }

  #ahead(entry: Entry): number {
    let ahead = entry.state === 'queued' ? this.#running.size : 0;
    for (let one = entry.before; one; one = one.before) ahead++;
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
    const together = next.job.brief ? LIMITS.interactionsAhead : 1;
    do {
      this.#queue.leave(next);
      this.#running.join(next);
      next.state = 'running';
      next.work.start(next);
      next = this.#queue.first;
    } while (next?.job.brief && this.#running.size < together);
  }

  #setDue(entry: Entry, delayMs: number): void {
    this.#dueTimes.set(entry, delayMs, this.#options.clock.monotonicMs());
  }

  #onDue(entry: Entry): void {
    if (!entry.wish) return this.#stop(entry, entry.job.endings.timedOut);
    // Told first, so that nothing more is sent to this device when the entry makes room.
    this.#options.onUnresponsive('The device did not let go of an interaction that was ended.');
    entry.finish(entry.wish);
  }

  /** It could not be ended as it should; without an end its caller would wait, and so would all behind it. */
  #onDueFault(error: unknown, entry: Entry): void {
    const { onFault = throwUncaught } = this.#options;
    onFault(error, this.#idsOf(entry));
    if (entry.state === 'queued') this.#queue.leave(entry);
    entry.finish(endingOfFault(error, undefined));
  }

  /** Ends a waiting entry at once; a running one when its device has let go. */
  #stop(entry: Entry, wish: Ending): void {
    if (entry.state === 'queued') {
      this.#queue.leave(entry);
      return this.#onFinish(entry, wish);
    }
    if (entry.state === 'ended' || entry.wish) return;
    entry.wish = wish;
    this.#setDue(entry, STOP_GRACE_MS);
    entry.work.stop(entry);
  }

  #idsOf({ requestId }: Entry): LogIds {
    return { sessionId: this.#options.identity.sessionId, requestId };
  }

  readonly #onFinish = (entry: Entry, ending: Ending): void => {
    const { identity, clock, onEnded, onFault = throwUncaught } = this.#options;
    const durationMs = elapsedMs(entry.accepted, clock);
    const wasRunning = entry.state === 'running';
    // An observer may submit the request again at once.
    this.#outcomes.conclude(entry, ending, durationMs);
    if (this.#outcomes.pendingCount === 0) this.#dueTimes.clear();
    try {
      entry.settle(ending, durationMs, acknowledge(identity, entry, ending, durationMs));
      onEnded(entry);
    } catch (error) {
      // An observer that fails must not hold up the requests behind it.
      onFault(error, this.#idsOf(entry));
    }
    if (!wasRunning) return;
    this.#running.leave(entry);
    // A request sent while others are still out would need a link message of its own.
    if (this.#running.size === 0) this.#startNext();
  };
}

/** An id that is in use already must come with the same action and body. */
function checkSame({ action, body }: Job, knownAction: string, known: Fingerprint): void {
  if (knownAction !== action || !sameBody(known, fingerprint(action, body)))
    throw new ServiceError('duplicate_request');
}

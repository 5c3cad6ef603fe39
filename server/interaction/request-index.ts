import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { hashOfId } from '../flow/id-hash.ts';
import { ShortLivedMap } from '../flow/short-lived-map.ts';
import { type EndedRequest, EndedRequests } from './ended-requests.ts';
import type { Ending } from './ending.ts';
import type { PastRequest } from './past-requests.ts';
import type { Request } from './request.ts';

/**
 * The requests of one session by their ids: those that wait or run, and for ten minutes those that ended, so that a
 * caller that lost its connection can ask again. Cancels that overtook their request are remembered for a moment.
 */
export class RequestIndex {
  readonly #clock: Clock;
  readonly #pending = new ShortLivedMap<string, Request>(hashOfId);
  readonly #ended = new EndedRequests();
  /** When each early cancel is forgotten, on the monotonic clock. */
  readonly #earlyCancels = new Map<string, number>();

  /** @param past those that ended in a process before this one, in the order of their ends */
  constructor(clock: Clock, past: readonly PastRequest[] = []) {
    this.#clock = clock;
    const nowMs = clock.monotonicMs();
    for (const request of past) this.#ended.restore(request, nowMs - request.endedAgoMs);
  }

  /** The request that waits or runs under this id. */
  pending(requestId: string): Request | undefined {
    return this.#pending.get(requestId);
  }

  /** The request that ended under this id. */
  ended(requestId: string, nowMs = this.#clock.monotonicMs()): EndedRequest | undefined {
    return this.#ended.find(requestId, nowMs);
  }

  /** Everything that waits or runs, in the order of its acceptance. */
  get allPending(): Iterable<Request> {
    return this.#pending.values();
  }

  get pendingCount(): number {
    return this.#pending.size;
  }

  add(request: Request): void {
    this.#pending.set(request.requestId, request);
  }

  /** It ended in this way: the request itself is not kept. */
  conclude(request: Request, ending: Ending, durationMs: number): void {
    this.#pending.take(request.requestId);
    if (!request.spec.isForgotten) this.#ended.add(request, ending, durationMs);
  }

  rememberCancel(requestId: string): void {
    if (this.#earlyCancels.size >= LIMITS.earlyCancels) {
      const [oldest] = this.#earlyCancels.keys();
      if (oldest !== undefined) this.#earlyCancels.delete(oldest);
    }
    this.#earlyCancels.set(requestId, this.#clock.monotonicMs() + LIMITS.earlyCancelKeptMs);
  }

  /** True when a cancel for this id came before. It counts once. */
  takeCancel(requestId: string): boolean {
    if (this.#earlyCancels.size === 0) return false;
    const untilMs = this.#earlyCancels.get(requestId);
    this.#earlyCancels.delete(requestId);
    return untilMs !== undefined && untilMs > this.#clock.monotonicMs();
  }
}

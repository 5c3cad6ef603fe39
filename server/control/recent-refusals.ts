import type { Clock } from '../flow/clock.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';

/** Shorter than the `Retry-After` of the refusal, so that a caller which obeys it is never refused by this cache. */
const KEPT_MS = 1_000;
/** Maximum number of callers to remember; the one refused longest ago is forgotten. */
const REMEMBERED_MAX = 1_000;

/**
 * Remembers callers with a valid credential that were just refused because they have or open too many sockets. They get the same
 * answer again without any check, so that thousands of attempts do not take the event loop from other clients.
 */
export class RecentRefusals {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #bearerOf: (head: HttpHead) => string | undefined;
  readonly #refusals = new Map<string, { readonly untilMs: number; readonly reply: HttpReply }>();

  /** @param bearerOf what tells those apart who come without a token, before they are checked */
  constructor(clock: Pick<Clock, 'monotonicMs'>, bearerOf: (head: HttpHead) => string | undefined) {
    this.#clock = clock;
    this.#bearerOf = bearerOf;
  }

  /** The refusal, if this caller was just refused with the same credential. */
  of(head: HttpHead): HttpReply | undefined {
    if (this.#refusals.size === 0) return undefined;
    const caller = this.#callerOf(head);
    const refusal = this.#refusals.get(caller);
    if (!refusal) return undefined;
    if (this.#clock.monotonicMs() < refusal.untilMs) return refusal.reply;
    this.#refusals.delete(caller);
    return undefined;
  }

  refused(head: HttpHead, reply: HttpReply): void {
    this.#refusals.set(this.#callerOf(head), { untilMs: this.#clock.monotonicMs() + KEPT_MS, reply });
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined && this.#refusals.size > REMEMBERED_MAX) this.#refusals.delete(oldest);
  }

  /** The session and the credential, without anything that a caller could vary at will. */
  #callerOf(head: HttpHead): string {
    const token = new URLSearchParams(head.query).get('token');
    return `${head.path} ${token === null ? `key ${this.#bearerOf(head)}` : `token ${token}`}`;
  }
}

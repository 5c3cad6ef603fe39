import type { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { HttpHead } from '../socket/http.ts';

/** Shorter than the `Retry-After` of the refusal, so that a caller which obeys it is never refused by this cache. */
const KEPT_MS = 1_000;
/** Maximum number of callers to remember; the one refused longest ago is forgotten. */
const REMEMBERED_MAX = 1_000;

/**
 * Remembers callers with a valid credential that were just refused because their session has too many sockets. They are
 * refused again without any check, so that thousands of attempts do not take the event loop from other clients.
 */
export class RecentRefusals {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #refusals = new Map<string, { readonly untilMs: number; readonly error: ServiceError }>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Throws the refusal again if this caller was just refused with the same credential. */
  check(head: HttpHead): void {
    if (this.#refusals.size === 0) return;
    const caller = callerOf(head);
    const refusal = this.#refusals.get(caller);
    if (!refusal) return;
    if (this.#clock.monotonicMs() < refusal.untilMs) throw refusal.error;
    this.#refusals.delete(caller);
  }

  refused(head: HttpHead, error: ServiceError): void {
    this.#refusals.set(callerOf(head), { untilMs: this.#clock.monotonicMs() + KEPT_MS, error });
    const [oldest] = this.#refusals.keys();
    if (oldest !== undefined && this.#refusals.size > REMEMBERED_MAX) this.#refusals.delete(oldest);
  }
}

/** The session and the credential, without anything that a caller could vary at will. */
function callerOf(head: HttpHead): string {
  const token = new URLSearchParams(head.query).get('token');
  return `${head.path} ${token === null ? `key ${head.header('authorization')}` : `token ${token}`}`;
}

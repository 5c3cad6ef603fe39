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
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Whether this caller was just refused with the same credential. */
  refuses(head: HttpHead): boolean {
    if (this.#untilMs.size === 0) return false;
    const caller = callerOf(head);
    const untilMs = this.#untilMs.get(caller);
    if (untilMs === undefined) return false;
    if (this.#clock.monotonicMs() < untilMs) return true;
    this.#untilMs.delete(caller);
    return false;
  }

  refused(head: HttpHead): void {
    this.#untilMs.set(callerOf(head), this.#clock.monotonicMs() + KEPT_MS);
    const [oldest] = this.#untilMs.keys();
    if (oldest !== undefined && this.#untilMs.size > REMEMBERED_MAX) this.#untilMs.delete(oldest);
  }
}

/** The session and the credential, without anything that a caller could vary at will. */
function callerOf(head: HttpHead): string {
  const token = new URLSearchParams(head.query).get('token');
  return `${head.path} ${token === null ? `key ${head.header('authorization')}` : `token ${token}`}`;
}

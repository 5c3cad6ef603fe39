import type { Clock } from '../flow/clock.ts';
import type { HttpHead } from '../socket/http.ts';

/** Shorter than what the refused are told to wait: who does as told never meets it. */
const KEPT_MS = 1_000;
/** Callers that are remembered; past it the one that was refused longest ago is looked at anew. */
const REMEMBERED_MAX = 1_000;

/**
 * Callers whose credential is good, and who were refused a moment ago because their session has no room. They are refused
 * again without a look at anything: to try a thousand times is no way to take the loop from everybody else.
 */
export class FullHouse {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #untilMs = new Map<string, number>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Whether this very caller, with this very credential, was just refused. */
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

/** The session and the credential, and nothing that a caller could vary at will. */
function callerOf(head: HttpHead): string {
  const token = new URLSearchParams(head.query).get('token');
  return `${head.path} ${token === null ? `key ${head.header('authorization')}` : `token ${token}`}`;
}

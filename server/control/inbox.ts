import { LIMITS } from '@runcloud/protocol/terms';
import type { RateLimiter } from '../account/rate-limiters.ts';
import type { FairScheduler, TaskBudget } from '../flow/fair-scheduler.ts';

export interface InboxOptions {
  readonly scheduler: FairScheduler;
  /** Whose turns its long messages wait for. */
  readonly party: string;
  readonly rateLimiter: RateLimiter | undefined;
  /** Takes a message that costs next to nothing, if it is one. */
  readonly takeQuick: (bytes: Uint8Array) => boolean;
  /** Takes a message; the bytes are valid only until this returns. `paid` when its allowance has been taken. */
  readonly take: (bytes: Uint8Array, paid: boolean) => void;
  /** Refuses a message that is not read for its weight. */
  readonly refuse: (bytes: Uint8Array, reason: 'too many' | 'too much waits') => void;
}

/**
 * What one socket receives, in order. Short messages are taken where they come, as many as a turn of the loop has room for;
 * long ones, and all that come behind them, when their account has its turn.
 */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #budget: TaskBudget;
  #waiting = 0;
  #open = true;

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#budget = options.scheduler.budgetOf(options.party);
  }

  receive(bytes: Uint8Array): void {
    const { scheduler, take, takeQuick } = this.#options;
    if (this.#waiting > 0 || bytes.byteLength > LIMITS.lightBytes) return this.#takeLater(bytes);
    if (takeQuick(bytes)) return;
    if (scheduler.mayRunNow(this.#budget)) take(bytes, false);
    else this.#takeLater(bytes);
  }

  /** What waits is nobody's any more. */
  close(): void {
    this.#open = false;
  }

  #takeLater(bytes: Uint8Array): void {
    const { scheduler, party, rateLimiter, take, refuse } = this.#options;
    const { byteLength } = bytes;
    if (rateLimiter && !rateLimiter.takeBytes(byteLength)) return refuse(bytes, 'too many');
    // The library takes its memory back.
    const copy = bytes.slice();
    const run = () => {
      this.#waiting--;
      if (this.#open) take(copy, true);
    };
    // What a short message takes is in its count.
    const spent =
      rateLimiter && byteLength > LIMITS.lightBytes ? (ms: number) => rateLimiter.chargeWork(ms) : undefined;
    if (scheduler.add(party, byteLength, run, spent)) this.#waiting++;
    else refuse(bytes, 'too much waits');
  }
}

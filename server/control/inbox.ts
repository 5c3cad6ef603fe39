import { LIMITS } from '@runcloud/protocol/terms';
import type { RateLimiter } from '../account/rate-limiters.ts';
import type { FairScheduler, TaskBudget } from '../flow/fair-scheduler.ts';

/** The connection of an inbox. */
export interface InboxOwner {
  /** Of the connection's present credential. */
  readonly rateLimiter: RateLimiter | undefined;
  /** Handles a message of negligible cost; `false` for every other message. */
  takeQuick(bytes: Uint8Array): boolean;
  /** Handles a message; the bytes are valid only until this returns. `paid`: its rate limit is already charged. */
  take(bytes: Uint8Array, paid: boolean): void;
  /** Refuses a message unread, because of its size. */
  refuse(bytes: Uint8Array, reason: 'too many' | 'too much waits'): void;
}

/**
 * The incoming messages of one connection, in order. Short messages are handled at once, up to the account's share of a turn of the
 * event loop; long messages, and all messages behind them, wait for the account's next time slice.
 */
export class Inbox {
  readonly #owner: InboxOwner;
  readonly #scheduler: FairScheduler;
  readonly #party: string;
  readonly #budget: TaskBudget;
  #waiting = 0;
  #open = true;

  /** @param party the account, whose time slice long messages wait for */
  constructor(owner: InboxOwner, scheduler: FairScheduler, party: string) {
    this.#owner = owner;
    this.#scheduler = scheduler;
    this.#party = party;
    this.#budget = scheduler.budgetOf(party);
  }

  receive(bytes: Uint8Array): void {
    const owner = this.#owner;
    if (this.#waiting > 0 || bytes.byteLength > LIMITS.lightBytes) return this.#takeLater(bytes);
    if (owner.takeQuick(bytes)) return;
    if (this.#scheduler.mayRunNow(this.#budget)) owner.take(bytes, false);
    else this.#takeLater(bytes);
  }

  /** Drops the waiting messages. */
  close(): void {
    this.#open = false;
  }

  #takeLater(bytes: Uint8Array): void {
    const owner = this.#owner;
    const scheduler = this.#scheduler;
    const party = this.#party;
    const { rateLimiter } = owner;
    const { byteLength } = bytes;
    if (rateLimiter && !rateLimiter.takeBytes(byteLength)) return owner.refuse(bytes, 'too many');
    // The socket library reuses its memory after the callback. A short copy lies in a slab with others: memory of its own would
    // cost several times as much as the copy.
    const copy = Buffer.from(bytes);
    const run = () => {
      this.#waiting--;
      if (this.#open) owner.take(copy, true);
    };
    // The cost of a short message is covered by its count.
    const isAdded =
      byteLength <= LIMITS.lightBytes
        ? scheduler.addShort(party, byteLength, run)
        : scheduler.add(party, byteLength, run, rateLimiter && ((ms) => rateLimiter.chargeWork(ms)));
    if (isAdded) this.#waiting++;
    else owner.refuse(bytes, 'too much waits');
  }
}

import { LIMITS } from '@runcloud/protocol/terms';
import type { Allowance } from '../account/allowances.ts';
import type { FairTurns, Share } from '../flow/fair-turns.ts';

export interface InboxOptions {
  readonly turns: FairTurns;
  /** Whose turns its long messages wait for. */
  readonly party: string;
  readonly allowance: Allowance | undefined;
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
  readonly #share: Share;
  #waiting = 0;
  #open = true;

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#share = options.turns.shareOf(options.party);
  }

  receive(bytes: Uint8Array): void {
    const { turns, take, takeQuick } = this.#options;
    if (this.#waiting > 0 || bytes.byteLength > LIMITS.lightBytes) return this.#takeLater(bytes);
    if (takeQuick(bytes)) return;
    if (turns.takesNow(this.#share)) take(bytes, false);
    else this.#takeLater(bytes);
  }

  /** What waits is nobody's any more. */
  close(): void {
    this.#open = false;
  }

  #takeLater(bytes: Uint8Array): void {
    const { turns, party, allowance, take, refuse } = this.#options;
    const { byteLength } = bytes;
    if (allowance && !allowance.takeBytes(byteLength)) return refuse(bytes, 'too many');
    // The library takes its memory back.
    const copy = bytes.slice();
    const run = () => {
      this.#waiting--;
      if (this.#open) take(copy, true);
    };
    // What a short message takes is in its count.
    const spent = allowance && byteLength > LIMITS.lightBytes ? (ms: number) => allowance.chargeWork(ms) : undefined;
    if (turns.add(party, byteLength, run, spent)) this.#waiting++;
    else refuse(bytes, 'too much waits');
  }
}

import type { Clock } from './clock.ts';
import { Fifo } from './fifo.ts';

/**
 * Those that came at once are due at once, and are answered a few at a time, with a pause after them: each costs a write, and
 * then the next request of whoever does not wait, or the end of a connection.
 */
const ANSWERED_AT_ONCE = 4;
const PAUSE_MS = 1;
/** Answers that wait at most, of all callers; one more leaves at once. */
const WAITING_MAX = 4_096;

interface Late<Reply> {
  readonly dueMs: number;
  readonly reply: Reply;
  readonly answer: (reply: Reply) => void;
}

export interface LateRefusalsOptions {
  /** How long each refusal is held back. */
  readonly waitMs: number;
  readonly clock: Pick<Clock, 'monotonicMs' | 'schedule'>;
}

/**
 * Holds back the refusals of what is too much. A client that obeys `Retry-After` loses nothing; one that tries again at once
 * tries a few times a second on each connection instead of thousands of times.
 */
export class LateRefusals<Reply> {
  readonly #options: LateRefusalsOptions;
  /** All wait equally long, so the oldest is due first. */
  readonly #waiting = new Fifo<Late<Reply>>();

  constructor(options: LateRefusalsOptions) {
    this.#options = options;
  }

  /** Resolves with the reply when it is to be sent; few of them at once. */
  hold(reply: Reply): Reply | Promise<Reply> {
    if (this.#waiting.size >= WAITING_MAX) return reply;
    const { clock, waitMs } = this.#options;
    const dueMs = clock.monotonicMs() + waitMs;
    return new Promise((answer) => {
      this.#waiting.push({ dueMs, reply, answer });
      if (this.#waiting.size === 1) this.#wait(waitMs);
    });
  }

  #wait(ms: number): void {
    this.#options.clock.schedule(Math.ceil(ms), this.#answerDue);
  }

  readonly #answerDue = (): void => {
    const nowMs = this.#options.clock.monotonicMs();
    for (let count = 0; count < ANSWERED_AT_ONCE; count++) {
      const late = this.#waiting.peek();
      if (!late) return;
      if (late.dueMs > nowMs) return this.#wait(late.dueMs - nowMs);
      this.#waiting.shift();
      late.answer(late.reply);
    }
    const late = this.#waiting.peek();
    if (late) this.#wait(Math.max(PAUSE_MS, late.dueMs - nowMs));
  };
}

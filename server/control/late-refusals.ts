import { LIMITS } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { Fifo } from '../flow/fifo.ts';
import type { HttpReply } from '../socket/http.ts';

/** Answers of one turn of the event loop, each of which costs a write and often the end of a connection. */
const ANSWERED_PER_TURN = 8;
/** Answers that wait at most, of all callers; one more leaves at once. */
const WAITING_MAX = 4_096;

interface Late {
  readonly dueMs: number;
  readonly reply: HttpReply;
  readonly answer: (reply: HttpReply) => void;
}

export interface LateRefusalsOptions {
  readonly clock: Pick<Clock, 'monotonicMs' | 'schedule'>;
  /** Runs a task after the event loop has handled everything else. */
  readonly defer: (task: () => void) => void;
}

/**
 * Holds back the refusals of openings that are too many. A client that obeys `Retry-After` loses nothing; one that tries again at
 * once tries once a second on each connection instead of thousands of times.
 */
export class LateRefusals {
  readonly #options: LateRefusalsOptions;
  /** All wait equally long, so the oldest is due first. */
  readonly #waiting = new Fifo<Late>();

  constructor(options: LateRefusalsOptions) {
    this.#options = options;
  }

  /** Resolves with the reply when it is to be sent; few of them in one turn of the event loop. */
  hold(reply: HttpReply): HttpReply | Promise<HttpReply> {
    if (this.#waiting.size >= WAITING_MAX) return reply;
    const dueMs = this.#options.clock.monotonicMs() + LIMITS.refusedOpeningMs;
    return new Promise((answer) => {
      this.#waiting.push({ dueMs, reply, answer });
      if (this.#waiting.size === 1) this.#wait(LIMITS.refusedOpeningMs);
    });
  }

  #wait(ms: number): void {
    this.#options.clock.schedule(Math.ceil(ms), this.#answerDue);
  }

  readonly #answerDue = (): void => {
    const nowMs = this.#options.clock.monotonicMs();
    for (let count = 0; count < ANSWERED_PER_TURN; count++) {
      const late = this.#waiting.peek();
      if (!late) return;
      if (late.dueMs > nowMs) return this.#wait(late.dueMs - nowMs);
      this.#waiting.shift();
      late.answer(late.reply);
    }
    if (this.#waiting.size > 0) this.#options.defer(this.#answerDue);
  };
}

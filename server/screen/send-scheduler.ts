import { systemClock } from '../flow/clock.ts';
import { Fifo } from '../flow/fifo.ts';

/** A queue of packets to send. `serve` is short, and harmless when there is nothing to send. */
export interface Sender {
  serve(): void;
  /** True while it waits for its turn; only `SendScheduler` changes it. */
  queued: boolean;
  /** A turn failed; the others go on. */
  failed(error: unknown): void;
}

interface SendSchedulerOptions {
  readonly nowMs: () => number;
  /** Runs a task when the event loop has seen to everything else. */
  readonly defer: (task: () => void) => void;
}

/**
 * The longest time that a tap waits for sending, besides one send: once when it arrives and once more when its answer
 * does.
 */
export const SLICE_MS = 0.1;

/**
 * Serves senders one after the other, for a moment at a time with the event loop free in between. All sessions of a
 * thread share one, so that many streams together hold the loop no longer than one does.
 */
export class SendScheduler {
  readonly #options: SendSchedulerOptions;
  readonly #senders = new Fifo<Sender>(256);
  #spentMs = 0;
  #deferred = false;

  constructor(options: SendSchedulerOptions) {
    this.#options = options;
  }

  /** Gives the sender a turn at the next `run`, or when its place in the queue comes. */
  add(sender: Sender): void {
    if (sender.queued) return;
    sender.queued = true;
    this.#senders.push(sender);
  }

  /** Serves as many senders as there is time for; the others follow by themselves. */
  run(): void {
    const { nowMs, defer } = this.#options;
    const startMs = nowMs();
    const beforeMs = this.#spentMs;
    while (this.#spentMs < SLICE_MS) {
      const sender = this.#senders.shift();
      if (!sender) break;
      sender.queued = false;
      try {
        sender.serve();
      } catch (error) {
        sender.failed(error);
      }
      this.#spentMs = beforeMs + nowMs() - startMs;
    }
    // Also when all are served: what else comes before the loop goes round again counts to the same slice.
    if (this.#deferred || (this.#spentMs === 0 && this.#senders.size === 0)) return;
    this.#deferred = true;
    defer(this.#startSlice);
  }

  readonly #startSlice = (): void => {
    this.#deferred = false;
    this.#spentMs = 0;
    if (this.#senders.size > 0) this.run();
  };
}

/** The one of this thread. */
export const threadSendScheduler = new SendScheduler({
  nowMs: systemClock.monotonicMs,
  defer: (task) => void setImmediate(task),
});

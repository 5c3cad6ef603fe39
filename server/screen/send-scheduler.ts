import { systemClock } from '../flow/clock.ts';
import { Fifo } from '../flow/fifo.ts';

/** A queue of packets to send. `serve` is short, and harmless when there is nothing to send. */
export interface Sender {
  serve(): void;
  /** True while it is queued; only `SendScheduler` changes it. */
  queued: boolean;
  /** Called if `serve` throws; the other senders continue. */
  failed(error: unknown): void;
}

interface SendSchedulerOptions {
  readonly nowMs: () => number;
  /** Runs a task after the event loop has handled everything else. */
  readonly defer: (task: () => void) => void;
}

/**
 * The longest time that a tap waits for sending, in addition to one send: once when it arrives and once when its answer arrives.
 */
export const SLICE_MS = 0.1;

/**
 * Serves senders round robin in short slices with the event loop free in between. All sessions of a thread share one scheduler, so
 * that many streams together block the loop no longer than one.
 */
export class SendScheduler {
  readonly #options: SendSchedulerOptions;
  readonly #senders = new Fifo<Sender>(256);
  #spentMs = 0;
  #deferred = false;

  constructor(options: SendSchedulerOptions) {
    this.#options = options;
  }

  /** Queues the sender for the next `run`. */
  add(sender: Sender): void {
    if (sender.queued) return;
    sender.queued = true;
    this.#senders.push(sender);
  }

  /** Serves senders until the slice is over; the others follow in later slices. */
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
    // Even if all are served: further sends in this iteration of the loop count towards the same slice.
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

/** The instance of this thread. */
export const threadSendScheduler = new SendScheduler({
  nowMs: systemClock.monotonicMs,
  defer: (task) => void setImmediate(task),
});

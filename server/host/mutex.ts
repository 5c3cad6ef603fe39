import { DeviceFault } from '../device/fault.ts';
import { Fifo } from '../flow/fifo.ts';
import type { AbortListener, LazyAbort } from '../link/lazy-abort.ts';

/** A waiting input. */
class Waiting implements AbortListener {
  readonly begin: () => void;
  readonly #reject: (fault: DeviceFault) => void;
  ended = false;

  constructor(begin: () => void, reject: (fault: DeviceFault) => void) {
    this.begin = begin;
    this.#reject = reject;
  }

  onAbort(): void {
    this.ended = true;
    this.#reject(new DeviceFault('aborted', 'The input was ended before its turn.'));
  }
}

/**
 * A fair mutex for the inputs of one device, since the gateway sends brief inputs ahead. A waiting input that is cancelled ends at
 * once and never reaches the device.
 */
export class Mutex {
  readonly #waiting = new Fifo<Waiting>();
  #locked = false;

  /** True while an input runs: a new one has to wait. */
  get isLocked(): boolean {
    return this.#locked;
  }

  /** Runs `act` under the lock. Rejects with an `aborted` fault if it is cancelled while waiting. */
  async run<T>(abort: LazyAbort, act: () => Promise<T>): Promise<T> {
    if (this.#locked) {
      await this.#wait(abort);
      abort.listener = undefined;
    }
    this.#locked = true;
    try {
      return await act();
    } finally {
      this.#release();
    }
  }

  #wait(abort: LazyAbort): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(resolve, reject);
      if (abort.aborted) return waiting.onAbort();
      abort.listener = waiting;
      this.#waiting.push(waiting);
    });
  }

  /** Hands the lock to the next waiter without an await in between, so that a new caller cannot take it. */
  #release(): void {
    let next = this.#waiting.shift();
    while (next?.ended) next = this.#waiting.shift();
    if (next) next.begin();
    else this.#locked = false;
  }
}

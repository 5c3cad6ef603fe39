import { DeviceFault } from '../device/fault.ts';
import { Fifo } from '../flow/fifo.ts';
import type { AbortListener, LazyAbort } from '../link/lazy-abort.ts';

/** One input that waits for its turn. */
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
 * The inputs of one device, one at a time in the order in which they came: the gateway sends brief ones ahead. One that
 * is ended while it waits is over at once and never reaches the device.
 */
export class Mutex {
  readonly #waiting = new Fifo<Waiting>();
  #locked = false;

  /** True while an input runs: a new one has to wait. */
  get isLocked(): boolean {
    return this.#locked;
  }

  /** Carries `act` out when its turn comes. Rejects with an `aborted` fault when it is ended before. */
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

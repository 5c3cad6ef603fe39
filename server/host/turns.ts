import { DeviceFault } from '../device/fault.ts';
import { Fifo } from '../flow/fifo.ts';
import type { LazyAbort } from '../link/lazy-abort.ts';

interface Waiting {
  readonly begin: () => void;
  ended: boolean;
}

/**
 * The inputs of one device, one at a time in the order in which they came: the gateway sends brief ones ahead. One that
 * is ended while it waits is over at once and never reaches the device.
 */
export class Turns {
  readonly #waiting = new Fifo<Waiting>();
  #taken = false;

  /** Carries `act` out when its turn comes. Rejects with an `aborted` fault when it is ended before. */
  async take<T>(abort: LazyAbort, act: () => Promise<T>): Promise<T> {
    if (this.#taken) {
      await this.#turn(abort);
      abort.onAbort = undefined;
    }
    this.#taken = true;
    try {
      return await act();
    } finally {
      this.#pass();
    }
  }

  #turn(abort: LazyAbort): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { begin: resolve, ended: abort.aborted };
      const end = () => {
        waiting.ended = true;
        reject(new DeviceFault('aborted', 'The input was ended before its turn.'));
      };
      if (waiting.ended) return end();
      abort.onAbort = end;
      this.#waiting.push(waiting);
    });
  }

  /** The turn goes on to the next without a moment in between, so that nobody who comes just then can take it. */
  #pass(): void {
    let next = this.#waiting.shift();
    while (next?.ended) next = this.#waiting.shift();
    if (next) next.begin();
    else this.#taken = false;
  }
}

import { type Latencies, spreadOf } from './certificate.ts';

/** Collects the times of inputs while rows are tried. */
export class Measured {
  readonly #serviceMs: number[] = [];
  readonly #deviceMs: number[] = [];
  readonly #seenMs: number[] = [];
  readonly #pictureMs: number[] = [];

  /** A device's time is told by taps alone: other actions take as long as they are asked to. */
  performed(action: string, sentMs: number, dispatchedMs: number, resultMs: number): void {
    this.#serviceMs.push(dispatchedMs - sentMs);
    if (action === 'tap') this.#deviceMs.push(resultMs - dispatchedMs);
  }

  seen(afterMs: number): void {
    this.#seenMs.push(afterMs);
  }

  inputToPicture(ms: number): void {
    this.#pictureMs.push(ms);
  }

  get latencies(): Latencies {
    const spreads = {
      service: spreadOf(this.#serviceMs),
      device: spreadOf(this.#deviceMs),
      untilSeen: spreadOf(this.#seenMs),
      inputToPicture: spreadOf(this.#pictureMs),
    };
    return Object.fromEntries(Object.entries(spreads).filter(([, spread]) => spread !== undefined));
  }
}

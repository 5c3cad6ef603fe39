import type { Port } from './messages.ts';

/**
 * Collects the messages of one turn of the event loop and sends them as one batch at the end of the turn, after all microtasks: a
 * single message waits for no timer, and the answers to one batch leave together.
 */
export class Outbox<Out> {
  readonly #port: Port<Out, never>;
  #batch: Out[] = [];
  #transfer: ArrayBuffer[] = [];

  constructor(port: Pick<Port<Out, never>, 'send'>) {
    this.#port = port as Port<Out, never>;
  }

  push(message: Out, transfer?: ArrayBuffer): void {
    if (this.#batch.length === 0) process.nextTick(this.#flush);
    this.#batch.push(message);
    if (transfer) this.#transfer.push(transfer);
  }

  readonly #flush = (): void => {
    const batch = this.#batch;
    const transfer = this.#transfer;
    this.#batch = [];
    this.#transfer = [];
    this.#port.send(batch, transfer);
  };
}

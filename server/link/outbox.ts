import type { Port } from './messages.ts';

/**
 * Collects what one turn of the event loop has to say and sends it as one batch. A turn ends when nothing is left to do
 * at once, promises included: a lone message waits for no timer, and the answers to one batch leave together.
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

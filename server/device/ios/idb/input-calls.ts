import type { ClientWritableStream } from '@grpc/grpc-js';
import { DeviceFault } from '../../fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { CompanionClient } from './companion-client.ts';

const ANSWER_MS = 5_000;

interface Running {
  readonly call: ClientWritableStream<object>;
  readonly answered: Promise<void>;
}

/**
 * Events for a companion, in their order. It answers a call once that has ended and all of its events are done, so a call
 * is kept open for as long as nobody asks; events that come while an answer is awaited wait for it.
 */
export class InputCalls {
  readonly #client: CompanionClient;
  readonly #onLost: (reason: string) => void;
  #running: Running | undefined;
  #ending: Promise<void> | undefined;
  #waiting: object[] = [];

  constructor(client: CompanionClient, onLost: (reason: string) => void) {
    this.#client = client;
    this.#onLost = onLost;
  }

  send(event: object): void {
    if (this.#ending !== undefined) this.#waiting.push(event);
    else this.#write(event);
  }

  /** Settles once all events are done; rejects with an `unreachable` fault when the companion does not say so in time. */
  async taken(signal?: AbortSignal): Promise<void> {
    while (this.#ending !== undefined) await this.#ending;
    if (signal?.aborted) throw new DeviceFault('aborted', 'The wait for the helper was ended.');
    const running = this.#running;
    if (!running) return;
    this.#running = undefined;
    running.call.end();
    this.#ending = this.#await(running);
    await this.#ending;
  }

  async #await({ call, answered }: Running): Promise<void> {
    const deadline = setTimeout(() => call.cancel(), ANSWER_MS);
    try {
      await answered;
    } finally {
      clearTimeout(deadline);
      this.#ending = undefined;
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const event of waiting) this.#write(event);
    }
  }

  #write(event: object): void {
    this.#running ??= this.#begin();
    this.#running.call.write(event);
  }

  #begin(): Running {
    let settle: (error: Error | null) => void = () => undefined;
    const answered = new Promise<void>((resolve, reject) => {
      settle = (error) => {
        if (!error) return resolve();
        const reason = `The helper idb_companion is lost: ${plainLine(error.message)}.`;
        this.#onLost(reason);
        reject(new DeviceFault('unreachable', reason));
      };
    });
    // Somebody waits for it later, or nobody does.
    answered.catch(() => undefined);
    const call = this.#client.hid((error) => settle(error));
    call.on('error', () => undefined);
    return { call, answered };
  }
}

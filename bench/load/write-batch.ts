import type { Socket } from 'node:net';

/** Sends all requests of one iteration of the event loop in one write, as a pipelining client does. */
export class WriteBatch {
  readonly #socket: Socket;
  #corked = false;
  readonly #flush = () => {
    this.#corked = false;
    this.#socket.uncork();
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  begin(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
    process.nextTick(this.#flush);
  }
}

import type { Socket } from 'node:net';

/** Many requests of one turn of the loop leave in one write, as a client with a full pipe does. */
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

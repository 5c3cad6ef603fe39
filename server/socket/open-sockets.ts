/** What is needed of a socket to end it. */
interface Endable {
  close(): void;
}

/** The sockets that are open, also those that close when their client has read what comes before. */
export class OpenSockets {
  readonly #open = new Set<Endable>();
  #onNone: () => void = () => undefined;

  add(socket: Endable): void {
    this.#open.add(socket);
  }

  delete(socket: Endable): void {
    this.#open.delete(socket);
    if (this.#open.size === 0) this.#onNone();
  }

  /** Resolves when all are closed. Those that are not within `ms` are cut. */
  async closed(ms: number): Promise<void> {
    if (this.#open.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#onNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const socket of [...this.#open]) socket.close();
  }
}

/** The methods that end a socket. */
interface Endable {
  close(): void;
}

/** All open sockets, including those that wait for their client to read before they close. */
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

  /** Resolves when all are closed. Sockets still open after `ms` are cut. */
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

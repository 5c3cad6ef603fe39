import { ShortLivedMap } from '../flow/short-lived-map.ts';

/** The methods that end a socket. */
interface Endable {
  close(): void;
}

/** All open sockets, including those that wait for their client to read before they close. */
export class OpenSockets {
  readonly #open = new ShortLivedMap<number, Endable>((number) => number);
  #last = 0;
  #onNone: () => void = () => undefined;

  /** Returns its number, by which it is removed. */
  add(socket: Endable): number {
    this.#open.set(++this.#last, socket);
    return this.#last;
  }

  remove(number: number): void {
    this.#open.take(number);
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
    for (const socket of [...this.#open.values()]) socket.close();
  }
}

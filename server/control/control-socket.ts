import type { SocketHandler } from '../socket/connection.ts';
import type { ControlConnection } from './control-connection.ts';

/** One socket of a control connection. After another has taken its place, what still comes on it is ignored. */
export class ControlSocket implements SocketHandler {
  readonly #connection: ControlConnection;

  constructor(connection: ControlConnection) {
    this.#connection = connection;
  }

  receive(message: Uint8Array): void {
    if (this.#isCurrent) this.#connection.receive(message);
  }

  receiveText(): void {
    if (this.#isCurrent) this.#connection.receiveText();
  }

  receivePing(): void {
    if (this.#isCurrent) this.#connection.receivePing();
  }

  drained(): void {
    if (this.#isCurrent) this.#connection.drained();
  }

  closed(code: number): void {
    if (this.#isCurrent) this.#connection.lost(code);
  }

  get #isCurrent(): boolean {
    return this.#connection.socket === this;
  }
}

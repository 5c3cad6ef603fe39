/** A client has nothing to send before the first message of the server but a few requests. */
const MESSAGES_MAX = 64;
const BYTES_MAX = 65_536;

/** Whoever takes the messages of a socket. */
interface Receiver {
  received(message: Uint8Array, isBinary: boolean): void;
  pinged(): void;
}

/** What a client sends before its socket has begun, in its order. */
export class EarlyMessages {
  readonly #tell: ((receiver: Receiver) => void)[] = [];
  #bytes = 0;

  /** Keeps a copy; `false` if there is no room for it. */
  received(message: Uint8Array, isBinary: boolean): boolean {
    this.#bytes += message.byteLength;
    if (this.#bytes > BYTES_MAX) return false;
    const copy = message.slice();
    return this.#keep((receiver) => receiver.received(copy, isBinary));
  }

  /** `false` if there is no room for it. */
  pinged(): boolean {
    return this.#keep((receiver) => receiver.pinged());
  }

  /** Tells everything to whoever takes it now. */
  tell(receiver: Receiver): void {
    for (const tell of this.#tell) tell(receiver);
  }

  #keep(tell: (receiver: Receiver) => void): boolean {
    return this.#tell.push(tell) <= MESSAGES_MAX;
  }
}

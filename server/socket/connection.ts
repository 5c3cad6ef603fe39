import type { WebSocket } from 'uWebSockets.js';
import { CLOSE, type CloseReason } from '@runcloud/protocol/terms';

/** `buffered`: it will go out when the client reads again. `dropped`: it will not. */
export type SendOutcome = 'sent' | 'buffered' | 'dropped';

/** The sending half of a socket, handed to those who answer on it. */
export interface SocketSender {
  send(message: Uint8Array): SendOutcome;
  /** What `write` sends leaves in one piece, as far as it fits the library's buffer. */
  together(write: () => void): void;
  /** Bytes that wait in this process for the client to read. */
  readonly bufferedBytes: number;
  /** Ends the connection; a second time does nothing. */
  close(reason: CloseReason): void;
}

/** What happens on a socket. The bytes of a message are valid only until `receive` returns. */
export interface SocketHandler {
  receive(message: Uint8Array): void;
  receiveText(): void;
  /** A ping or a pong of WebSocket's own, which the library has answered. */
  receivePing(): void;
  /** Bytes that had to wait for the client have left; `bufferedBytes` tells what is still there. */
  drained(): void;
  closed(): void;
}

export interface SocketData {
  readonly open: (outlet: SocketSender) => SocketHandler;
  handler: SocketHandler | undefined;
  connection: SocketConnection | undefined;
}

const OUTCOMES: readonly SendOutcome[] = ['buffered', 'sent', 'dropped'];

/** One WebSocket. The library's object throws once it is closed, so nobody else holds it. */
export class SocketConnection implements SocketSender {
  #socket: WebSocket<SocketData> | undefined;
  /** Closes the socket when all that waits for its client has left. */
  #leave: (() => void) | undefined;

  constructor(socket: WebSocket<SocketData>) {
    this.#socket = socket;
  }

  get bufferedBytes(): number {
    return this.#socket?.getBufferedAmount() ?? 0;
  }

  send(message: Uint8Array): SendOutcome {
    return OUTCOMES[this.#socket?.send(message, true) ?? 2] ?? 'dropped';
  }

  together(write: () => void): void {
    if (this.#socket) this.#socket.cork(write);
    else write();
  }

  close({ code, reason }: CloseReason): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    const leave = () => {
      if (socket.getBufferedAmount() === 0) socket.end(code, reason);
    };
    // The library takes a socket for closed as soon as it is to be, and sends the rest by itself. Of a process that ends
    // there is no rest: this one counts as open until the client has what was sent to it, and the reason.
    if (code !== CLOSE.draining.code || socket.getBufferedAmount() === 0) socket.end(code, reason);
    else this.#leave = leave;
  }

  /** Bytes that had to wait for the client have left. */
  drained(): void {
    this.#leave?.();
  }

  /** The socket is closed, by whichever side. */
  forget(): void {
    this.#socket = undefined;
    this.#leave = undefined;
  }
}

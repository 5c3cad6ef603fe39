import type { WebSocket } from 'uWebSockets.js';
import { CLOSE, type CloseReason } from '@runcloud/protocol/terms';

/** `buffered`: sent when the client reads again. `dropped`: never sent. */
export type SendOutcome = 'sent' | 'buffered' | 'dropped';

/** The sending half of a socket. */
export interface SocketSender {
  send(message: Uint8Array): SendOutcome;
  /** Sends everything that `write` sends in one piece, as far as it fits the library's buffer. */
  together(write: () => void): void;
  /** Bytes buffered in this process until the client reads. */
  readonly bufferedBytes: number;
  /** Closes the connection; idempotent. */
  close(reason: CloseReason): void;
}

/** The events of a socket. The bytes of a message are valid only until `receive` returns. */
export interface SocketHandler {
  receive(message: Uint8Array): void;
  receiveText(): void;
  /** A WebSocket ping or pong frame; the library answers pings. */
  receivePing(): void;
  /** Buffered bytes were sent; `bufferedBytes` is what remains. */
  drained(): void;
  closed(): void;
}

export interface SocketData {
  readonly open: (outlet: SocketSender) => SocketHandler;
  handler: SocketHandler | undefined;
  connection: SocketConnection | undefined;
}

const OUTCOMES: readonly SendOutcome[] = ['buffered', 'sent', 'dropped'];

/** One WebSocket. Only this class holds the library's object, which throws once it is closed. */
export class SocketConnection implements SocketSender {
  #socket: WebSocket<SocketData> | undefined;
  /** Closes the socket once its buffered bytes are sent. */
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
    // The library reports a socket as closed as soon as `end` is called and sends the rest later, which a process that exits
    // cannot do. So the socket counts as open until the client has all data and the close code.
    if (code !== CLOSE.draining.code || socket.getBufferedAmount() === 0) socket.end(code, reason);
    else this.#leave = leave;
  }

  /** Called when buffered bytes were sent. */
  drained(): void {
    this.#leave?.();
  }

  /** Called when either side has closed the socket. */
  forget(): void {
    this.#socket = undefined;
    this.#leave = undefined;
  }
}

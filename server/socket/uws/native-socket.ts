import type { WebSocket } from 'uWebSockets.js';
import type { CloseReason } from '@runcloud/protocol/terms';
import type { LibrarySocket, SendOutcome, SocketConnection, WantedSocket } from '../connection.ts';

/** The library keeps it for each socket. */
export interface SocketData {
  /** Let go of once it is open: it holds the request's head. */
  wanted: WantedSocket | undefined;
  connection: SocketConnection | undefined;
  /** Among the open sockets. */
  number: number;
}

const OUTCOMES: readonly SendOutcome[] = ['buffered', 'sent', 'dropped'];

/** One WebSocket of uWebSockets.js, whose object throws once it is closed. */
export class NativeSocket implements LibrarySocket {
  readonly #socket: WebSocket<SocketData>;

  constructor(socket: WebSocket<SocketData>) {
    this.#socket = socket;
  }

  get bufferedBytes(): number {
    return this.#socket.getBufferedAmount();
  }

  send(message: Uint8Array): SendOutcome {
    return OUTCOMES[this.#socket.send(message, true)] ?? 'dropped';
  }

  together(write: () => void): void {
    this.#socket.cork(write);
  }

  end({ code, reason }: CloseReason): void {
    this.#socket.end(code, reason);
  }
}

import { CLOSE, type CloseReason } from '@runcloud/protocol/terms';
import { EarlyMessages } from './early-messages.ts';
import type { HttpHead, HttpReply } from './http.ts';

/** `buffered`: sent when the client reads again. `dropped`: never sent. */
export type SendOutcome = 'sent' | 'buffered' | 'dropped';

/** The sending half of a socket. */
export interface SocketSender {
  send(message: Uint8Array): SendOutcome;
  /** Sends everything that `write` sends in one piece, as far as it fits the library's buffer. */
  together(write: () => void): void;
  /** Bytes buffered in this process until the client reads. */
  readonly bufferedBytes: number;
  /** Of the channel to the edge that the client is connected to; absent where the client is connected to this process. */
  readonly channelId?: string | undefined;
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
  /** @param code as of RFC 6455: of the close frame, 1005 for one without a code, 1006 for a socket that was cut */
  closed(code: number): void;
}

/** An accepted upgrade. */
export interface WantedSocket {
  /** Whether the small message limit applies (role `view`): unfinished messages are buffered, and viewers may be many. */
  readonly brief: boolean;
  readonly open: (outlet: SocketSender) => SocketHandler;
  /** Calls `begin`, which calls `open`, when the socket's turn has come; absent if it has. The client may send meanwhile. */
  readonly turn?: (begin: () => void) => void;
  /** Called instead of `open` if the client has gone before its socket was open; only of one that was decided later. */
  readonly unwanted?: () => void;
}

/** An upgrade that is decided later. Its messages may be long. */
export interface LaterSocket {
  /** Never rejects. */
  readonly later: Promise<HttpReply | WantedSocket>;
}

export interface SocketApplication {
  /** Accepts an upgrade, or refuses it with an answer, which may come later and never rejects. */
  upgrade(head: HttpHead): HttpReply | WantedSocket | LaterSocket | Promise<HttpReply>;
}

/** An open WebSocket as its library holds it. It is not used after it has ended or closed. */
export interface LibrarySocket {
  /** Bytes buffered in this process until the client reads. */
  readonly bufferedBytes: number;
  /** See `SocketSender`. */
  readonly channelId?: string;
  /** Copies what it does not send at once. */
  send(message: Uint8Array): SendOutcome;
  together(write: () => void): void;
  /** Sends the close frame and ends the connection; `SocketConnection.closed` is called before it returns. */
  end(reason: CloseReason): void;
}

/**
 * One WebSocket between its library and the application. The library calls `begin` first, then the methods of its events;
 * an exception of the application's is told and closes the socket, since in a library's callback it would end the process.
 */
export class SocketConnection implements SocketSender {
  #socket: LibrarySocket | undefined;
  #handler: SocketHandler | undefined;
  /** What the client has sent while the socket waits for its turn. */
  #early: EarlyMessages | undefined;
  /** Closes the socket once its buffered bytes are sent. */
  #leave: (() => void) | undefined;
  readonly #onFault: (error: unknown) => void;

  constructor(socket: LibrarySocket, onFault: (error: unknown) => void) {
    this.#socket = socket;
    this.#onFault = onFault;
  }

  get bufferedBytes(): number {
    return this.#socket?.bufferedBytes ?? 0;
  }

  get channelId(): string | undefined {
    return this.#socket?.channelId;
  }

  send(message: Uint8Array): SendOutcome {
    return this.#socket?.send(message) ?? 'dropped';
  }

  together(write: () => void): void {
    if (this.#socket) this.#socket.together(write);
    else write();
  }

  close(reason: CloseReason): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = undefined;
    const leave = () => {
      if (socket.bufferedBytes === 0) socket.end(reason);
    };
    // A socket counts as closed as soon as it is ended, and the rest is sent later, which a process that exits cannot do.
    // So the socket counts as open until the client has all data and the close code.
    if (reason.code !== CLOSE.draining.code || socket.bufferedBytes === 0) socket.end(reason);
    else this.#leave = leave;
  }

  /** The socket is open. */
  begin({ open, turn }: WantedSocket): void {
    if (!turn) return this.#begin(open);
    const early = new EarlyMessages();
    this.#early = early;
    turn(() => {
      this.#early = undefined;
      if (!this.#socket) return;
      this.#begin(open);
      early.tell(this);
    });
  }

  #begin(open: WantedSocket['open']): void {
    try {
      this.#handler = open(this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A message has come. */
  received(message: Uint8Array, isBinary: boolean): void {
    if (this.#early) return this.#hold((early) => early.received(message, isBinary));
    try {
      if (isBinary) this.#handler?.receive(message);
      else this.#handler?.receiveText();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A ping or a pong has come. */
  pinged(): void {
    if (this.#early) return this.#hold((early) => early.pinged());
    try {
      this.#handler?.receivePing();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Buffered bytes were sent. */
  drained(): void {
    try {
      this.#leave?.();
      this.#handler?.drained();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Either side has closed the socket. */
  closed(code: number): void {
    this.#socket = undefined;
    this.#leave = undefined;
    const handler = this.#handler;
    this.#handler = undefined;
    try {
      handler?.closed(code);
    } catch (error) {
      this.#onFault(error);
    }
  }

  #hold(keep: (early: EarlyMessages) => boolean): void {
    if (this.#early && !keep(this.#early)) this.close(CLOSE.policy);
  }

  #fail(error: unknown): void {
    this.#onFault(error);
    this.close(CLOSE.fault);
  }
}

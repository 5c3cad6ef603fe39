import type { Socket } from 'node:net';
import { type CloseReason, LIMITS } from '@runcloud/protocol/terms';
import { WebSocket } from 'ws';
import { type LibrarySocket, type SendOutcome, SocketConnection, type WantedSocket } from '../connection.ts';
import type { OpenSockets } from '../open-sockets.ts';
import { BACKPRESSURE_BYTES_MAX } from '../socket-limits.ts';
import type { Watch } from './watch.ts';

/** How often a socket is looked at, and after how many looks without a byte of the client it is asked for one, or cut. */
export const LOOK_MS = 4_000;
const QUIET_LOOKS_MAX = (LIMITS.socketIdleSeconds * 1_000) / LOOK_MS;
const QUIET_LOOKS_TO_PING = QUIET_LOOKS_MAX - 2;

const NOTHING = new Uint8Array(0);

/** The code of the client's close frame, or 1006. The library tells it by its event, which the client can delay for long. */
interface ToldCode {
  readonly _closeCode: number;
}

/**
 * One WebSocket of `ws`. Messages are framed here and written to the connection, one write for each: the library would write
 * the head of a frame and its payload by themselves, and keep the payload, whose memory the caller uses again.
 */
export class WsSocket implements LibrarySocket {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #connection: SocketConnection;
  readonly #onClosed: () => void;
  #isOpen = true;
  #isCorked = false;
  /** Whether buffered bytes are waited for. */
  #isBehind = false;
  #quietLooks = 0;
  #bytesRead: number;

  /**
   * @param ws has just been opened on `socket`
   * @param wanted makes the handler of the socket
   */
  constructor(
    ws: WebSocket,
    socket: Socket,
    wanted: WantedSocket,
    { sockets, watch, onFault }: { sockets: OpenSockets; watch: Watch; onFault: (error: unknown) => void },
  ) {
    this.#ws = ws;
    this.#socket = socket;
    this.#bytesRead = socket.bytesRead;
    const endable = { close: () => ws.terminate() };
    const number = sockets.add(endable);
    const watchNumber = watch.add(this);
    this.#onClosed = () => {
      sockets.remove(number);
      watch.remove(watchNumber);
    };
    const connection = new SocketConnection(this, onFault);
    this.#connection = connection;
    ws.on('message', (message: Buffer, isBinary) => connection.received(message, isBinary));
    ws.on('ping', (data) => {
      if (socket.writableLength <= BACKPRESSURE_BYTES_MAX) ws.pong(data);
      connection.pinged();
    });
    ws.on('pong', () => connection.pinged());
    const closed = () => this.#closed((ws as unknown as ToldCode)._closeCode);
    ws.on('close', closed);
    // A frame that is none: the library closes the socket with the code for it.
    ws.on('error', closed);
    // The client has closed the socket, and has its answer.
    socket.once('finish', closed);
    connection.begin(wanted);
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  send(message: Uint8Array): SendOutcome {
    const socket = this.#socket;
    if (this.#ws.readyState !== WebSocket.OPEN || socket.writableLength > BACKPRESSURE_BYTES_MAX) return 'dropped';
    socket.write(binaryFrame(message));
    if (this.#isCorked) return this.#isBehind ? 'buffered' : 'sent';
    return this.#seeWhatIsBehind();
  }

  together(write: () => void): void {
    if (this.#isCorked) return write();
    this.#isCorked = true;
    this.#socket.cork();
    try {
      write();
    } finally {
      this.#isCorked = false;
      this.#socket.uncork();
      this.#seeWhatIsBehind();
    }
  }

  end({ code, reason }: CloseReason): void {
    this.#ws.close(code, reason);
    this.#closed(code);
  }

  look(): void {
    const { bytesRead } = this.#socket;
    this.#quietLooks = bytesRead === this.#bytesRead ? this.#quietLooks + 1 : 0;
    this.#bytesRead = bytesRead;
    if (this.#quietLooks >= QUIET_LOOKS_MAX) this.#ws.terminate();
    else if (this.#quietLooks === QUIET_LOOKS_TO_PING) this.#ws.ping();
  }

  /** Bytes that the system has not taken are buffered; the callback of an empty write behind them tells when they have left. */
  #seeWhatIsBehind(): SendOutcome {
    if (this.#socket.writableLength === 0) return 'sent';
    if (!this.#isBehind) this.#socket.write(NOTHING, this.#left);
    this.#isBehind = true;
    return 'buffered';
  }

  readonly #left = (error?: Error | null): void => {
    this.#isBehind = false;
    if (error || this.#socket.destroyed) return;
    this.#seeWhatIsBehind();
    this.#connection.drained();
  };

  #closed(code: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#onClosed();
    this.#connection.closed(code);
  }
}

/** A whole binary message of a server: unmasked, in one frame (RFC 6455, section 5.2). */
function binaryFrame(payload: Uint8Array): Buffer {
  const { byteLength } = payload;
  const headBytes = byteLength < 126 ? 2 : byteLength < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headBytes + byteLength);
  frame[0] = 0x82;
  if (headBytes === 2) {
    frame[1] = byteLength;
  } else if (headBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(byteLength, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(byteLength / 2 ** 32), 2);
    frame.writeUInt32BE(byteLength >>> 0, 6);
  }
  frame.set(payload, headBytes);
  return frame;
}

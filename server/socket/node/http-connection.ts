import type { Socket } from 'node:net';
import type { Watch } from './watch.ts';

/** How often a connection is looked at. */
export const LOOK_MS = 1_000;
/**
 * A connection may be idle for ten looks, and a head may take as long to come. A body has as long for each `FED_BYTES`, and a
 * client for reading each piece of an answer.
 */
const IDLE_LOOKS = 10;
const FED_BYTES = IDLE_LOOKS * 16_384;
/** Unread answers that one connection may have when it asks again; a client that reads has none. */
const UNREAD_BYTES_MAX = 65_536;

/** An answer, as far as it decides whether the connection may ask again. */
interface Answer {
  /** All of it has been handed to the connection. */
  readonly isGiven: boolean;
  /** The client's system has taken it. */
  readonly isSent: boolean;
  readonly byteLength: number;
  /** The body of the request has not ended. */
  readonly isBodyComing: boolean;
  /** The body has come and is not handed over yet. */
  readonly isBodyUnread: boolean;
  /** Calls `task` when it has left and Node.js is through with it. */
  whenOver(task: () => void): void;
  /** The connection has closed. */
  abort(): void;
}

/** One connection while it speaks HTTP: one request at a time, and how long it may take. */
export class HttpConnection {
  readonly socket: Socket;
  readonly #watch: Watch;
  readonly #watchNumber: number;
  #answer: Answer | undefined;
  #unreadBytes = 0;
  #looksLeft = IDLE_LOOKS;
  #bytesRead = 0;

  constructor(socket: Socket, watch: Watch) {
    this.socket = socket;
    this.#watch = watch;
    socket.on('end', this.#end);
    socket.on('close', this.#close);
    this.#watchNumber = watch.add(this);
  }

  /**
   * Whether a request may begin. A client that asks again before the answer to its last request is made, or that does not read
   * its answers, loses its connection: answers would be mixed up or pile up.
   */
  get mayAsk(): boolean {
    const last = this.#answer;
    if (!last) return true;
    if (!last.isGiven) return false;
    this.#unreadBytes = last.isSent ? 0 : this.#unreadBytes + last.byteLength;
    return this.#unreadBytes <= UNREAD_BYTES_MAX;
  }

  /**
   * Whether the answer to the last request may be made in this very turn of the event loop: its body has come, and Node.js
   * hands it over only after the request behind it.
   */
  get mayAskSoon(): boolean {
    return this.#answer?.isBodyUnread === true;
  }

  /** A request has begun: the client waits. */
  begin(answer: Answer): void {
    this.#answer = answer;
    this.wait();
  }

  /** The client must go on within its time. */
  expect(): void {
    this.#looksLeft = IDLE_LOOKS;
  }

  /** The server must go on: the client has all the time. */
  wait(): void {
    this.#looksLeft = Number.POSITIVE_INFINITY;
  }

  /**
   * Calls `task` when the answers to all requests have left, and Node.js is through with them: the connection can become
   * something else.
   */
  whenIdle(task: () => void): void {
    if (this.#answer) this.#answer.whenOver(task);
    else task();
  }

  look(): void {
    if (--this.#looksLeft > 0) return;
    const { bytesRead } = this.socket;
    const isFed = this.#answer?.isBodyComing === true && bytesRead - this.#bytesRead >= FED_BYTES;
    this.#bytesRead = bytesRead;
    if (isFed) this.expect();
    else this.cut();
  }

  cut(): void {
    this.socket.destroy();
  }

  /** Called for bytes that are no HTTP. An answer that was given may still be on its way. */
  fault(): void {
    if (this.#answer?.isGiven && !this.#answer.isSent) this.socket.destroySoon();
    else if (this.#answer?.isGiven) this.socket.end();
    else this.cut();
  }

  /** The connection goes on as something else. */
  leave(): void {
    this.socket.off('end', this.#end);
    this.socket.off('close', this.#close);
    this.#watch.remove(this.#watchNumber);
  }

  /** A client that has said its last word is not answered any more. */
  readonly #end = (): void => this.cut();

  readonly #close = (): void => {
    this.#watch.remove(this.#watchNumber);
    this.#answer?.abort();
  };
}

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { headerValue } from '../header-value.ts';
import { dropBody, type FileBody, type HttpReply, REQUEST_ID_HEADER, type StreamBody } from '../http.ts';
import type { RequestHead } from '../request-head.ts';
import type { HttpConnection } from './http-connection.ts';

/** Longer bodies leave in pieces of this length, each when the one before it has left: so a client's reading can be seen. */
const PIECE_BYTES = 65_536;
const NOTHING = new Uint8Array(0);

/** One request of `node:http`, and its answer. */
export class HttpExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #connection: HttpConnection;
  readonly #head: RequestHead;
  readonly #hasBody: boolean;
  #state: 'open' | 'answering' | 'ended' = 'open';
  #isGone = false;
  #isTaken = false;
  #gone: (() => void) | undefined;
  byteLength = 0;

  constructor(request: IncomingMessage, response: ServerResponse, connection: HttpConnection, head: RequestHead) {
    this.#request = request;
    this.#response = response;
    this.#connection = connection;
    this.#head = head;
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    this.#hasBody = (length !== undefined && Number(length) > 0) || coding !== undefined;
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  get isGiven(): boolean {
    return this.#state === 'ended';
  }

  get isSent(): boolean {
    return this.#response.writableFinished;
  }

  get isBodyComing(): boolean {
    return this.#hasBody && !this.#request.complete;
  }

  get isBodyUnread(): boolean {
    return this.isOpen && this.#isTaken && this.#request.complete && !this.#request.readableEnded;
  }

  whenOver(task: () => void): void {
    // Node.js gives the connection to an answer when those before it have left, and takes it back before `finish` comes here.
    if (this.isSent && this.#response.socket === null) task();
    else this.#response.once('finish', task);
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  onBody(take: (piece: Uint8Array, isLast: boolean) => void): void {
    this.#isTaken = true;
    if (!this.#hasBody) return take(NOTHING, true);
    this.#connection.expect();
    this.#request.on('data', (piece: Uint8Array) => take(piece, false));
    this.#request.on('end', () => {
      if (this.isOpen) this.#connection.wait();
      take(NOTHING, true);
    });
  }

  /** Called when the handler has returned: a body that nobody took is let go. */
  letGo(): void {
    if (!this.#isTaken && this.#hasBody) this.#request.resume();
  }

  pause(): void {
    if (!this.isOpen) return;
    this.#request.pause();
    this.#connection.wait();
  }

  resume(): void {
    if (!this.isOpen) return;
    this.#connection.expect();
    this.#request.resume();
  }

  answer(reply: HttpReply): void {
    this.write(reply);
  }

  write(reply: HttpReply): void {
    if (!this.isOpen) return dropBody(reply);
    this.#state = 'answering';
    this.#gone = undefined;
    this.#head.end();
    const { status, headers = {}, requestId, body, bodyBytes, file, stream, close = false } = reply;
    const isBodiless = this.#head.method === 'HEAD' || status === 304;
    const length = file?.byteLength ?? Buffer.byteLength(body);
    const lines: string[] = [];
    for (const name in headers) lines.push(name, headerValue(headers[name] ?? ''));
    if (requestId !== undefined) lines.push(REQUEST_ID_HEADER, headerValue(requestId));
    if (status !== 304 && !stream) lines.push('Content-Length', String(isBodiless ? (bodyBytes ?? length) : length));
    if (close) lines.push('Connection', 'close');
    const response = this.#response;
    response.sendDate = false;
    response.writeHead(status, STATUS_CODES[status] ?? 'Unknown', lines);
    // The rest of the body is read and dropped.
    if (this.#hasBody) this.#request.resume();
    this.byteLength = HEAD_BYTES;
    if (isBodiless) {
      dropBody(reply);
      this.#end(NOTHING);
    } else if (file) {
      this.#sendFile(file);
    } else if (stream) {
      this.#sendStream(stream);
    } else if (length <= PIECE_BYTES) {
      this.#end(body);
    } else {
      this.#sendBytes(typeof body === 'string' ? Buffer.from(body) : body);
    }
  }

  abort(): void {
    this.#state = 'ended';
    this.#isGone = true;
    this.#head.end();
    this.#gone?.();
  }

  /** The last of the answer; the connection may ask again. */
  #end(last: string | Uint8Array): void {
    this.#state = 'ended';
    this.byteLength += last.length;
    this.#connection.expect();
    if (last.length === 0) this.#response.end();
    else this.#response.end(last);
  }

  #sendBytes(bytes: Uint8Array): void {
    let sent = 0;
    const next = () => {
      if (this.#isGone) return;
      const piece = bytes.subarray(sent, sent + PIECE_BYTES);
      sent += piece.byteLength;
      if (sent === bytes.byteLength) return this.#end(piece);
      this.#connection.expect();
      this.#response.write(piece, next);
    };
    next();
  }

  /** The next piece is read only after the client has taken the previous one, into the same memory. */
  #sendFile(file: FileBody): void {
    const chunk = new Uint8Array(Math.min(PIECE_BYTES, file.byteLength));
    let sent = 0;
    let open = true;
    const end = () => {
      if (open) file.close();
      open = false;
    };
    // A client that got a part of the file must not take it for the whole.
    const fail = () => {
      if (open) this.#connection.cut();
    };
    const next = () => {
      if (!open) return;
      if (sent === file.byteLength) {
        end();
        return this.#end(NOTHING);
      }
      file.read(chunk.subarray(0, Math.min(PIECE_BYTES, file.byteLength - sent)), sent).then((count) => {
        if (!open) return;
        if (count === 0) return fail();
        sent += count;
        this.#connection.expect();
        this.#response.write(chunk.subarray(0, count), next);
      }, fail);
    };
    this.#gone = end;
    next();
  }

  /** Node.js sends it in chunks, since the head has no length. */
  #sendStream(stream: StreamBody): void {
    let open = true;
    const end = () => {
      if (open) stream.close();
      open = false;
    };
    this.#gone = end;
    const next = () => {
      if (!open) return;
      stream.next().then(
        (piece) => {
          if (!open) return;
          if (piece === undefined) {
            end();
            return this.#end(NOTHING);
          }
          this.#connection.expect();
          this.#response.write(piece, next);
        },
        () => {
          if (open) this.#connection.cut();
        },
      );
    };
    next();
  }
}

/** Approximate size of a head; it counts where answers without a body are not read. */
const HEAD_BYTES = 512;

import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import type { Exchange } from '../exchange.ts';
import { headerValue } from '../header-value.ts';
import { dropBody, type HttpReply, REQUEST_ID_HEADER } from '../http.ts';
import type { RequestHead } from '../request-head.ts';
import { endWithoutBody } from './bodiless-reply.ts';
import { sendBytes } from './bytes-reply.ts';
import { sendFile } from './file-reply.ts';
import { sendStream } from './stream-reply.ts';

/**
 * Writes the answer of one request. It is created before the request is read: the library ends the process if its callback
 * returns without a complete answer and without an abort handler, and an answer on a lost connection is not complete. After an
 * abort or a complete answer the response is never used again.
 */
export class Responder implements Exchange {
  readonly res: HttpResponse;
  readonly #head: RequestHead;
  #state: 'open' | 'answering' | 'ended' = 'open';
  #gone: (() => void) | undefined;

  constructor(res: HttpResponse, head: RequestHead) {
    this.res = res;
    this.#head = head;
    res.onAborted(() => this.#abort());
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  onBody(take: (piece: Uint8Array, isLast: boolean) => void): void {
    this.res.onData((piece, isLast) => take(new Uint8Array(piece), isLast));
  }

  pause(): void {
    if (this.isOpen) this.res.pause();
  }

  resume(): void {
    if (this.isOpen) this.res.resume();
  }

  answer(reply: HttpReply): void {
    if (this.isOpen) this.res.cork(() => this.write(reply));
    else dropBody(reply);
  }

  write(reply: HttpReply): void {
    if (!this.isOpen) return dropBody(reply);
    this.#state = 'answering';
    this.#gone = undefined;
    this.#head.end();
    const { res } = this;
    const { status, headers = {}, requestId, body, bodyBytes, file, stream, close = false } = reply;
    // The library writes status 200 by default.
    if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
    for (const name in headers) res.writeHeader(name, headerValue(headers[name] ?? ''));
    if (requestId !== undefined) res.writeHeader(REQUEST_ID_HEADER, headerValue(requestId));
    if (this.#head.method === 'HEAD' || status === 304) {
      const isTold = status !== 304 && !stream;
      endWithoutBody(this, bodyBytes ?? file?.byteLength ?? Buffer.byteLength(body), isTold);
      dropBody(reply);
    } else if (file) {
      sendFile(this, file);
    } else if (stream) {
      sendStream(this, stream);
    } else if (close) {
      res.end(body, true);
    } else {
      sendBytes(this, body);
    }
  }

  #abort(): void {
    this.#state = 'ended';
    this.#head.end();
    this.#gone?.();
  }
}

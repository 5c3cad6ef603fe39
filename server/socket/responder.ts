import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { endWithoutBody } from './bodiless-reply.ts';
import { sendBytes } from './bytes-reply.ts';
import { sendFile } from './file-reply.ts';
import type { HttpReply } from './http.ts';
import type { RequestHead } from './request-head.ts';

/**
 * Writes the answer of one request. It is created before the request is read: the library ends the process if its callback
 * returns without a complete answer and without an abort handler, and an answer on a lost connection is not complete. After an
 * abort or a complete answer the response is never used again.
 */
export class Responder {
  readonly res: HttpResponse;
  readonly #head: RequestHead;
  #state: 'open' | 'answering' | 'ended' = 'open';
  #gone: (() => void) | undefined;

  constructor(res: HttpResponse, head: RequestHead) {
    this.res = res;
    this.#head = head;
    res.onAborted(() => this.#abort());
  }

  /** Whether the answer has not begun and the client is still connected. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** @param listener called if the client disconnects before the answer is complete; one at a time */
  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  /** Answers after the library's callback for the request has returned. */
  answer(reply: HttpReply): void {
    if (this.isOpen) this.res.cork(() => this.write(reply));
    else reply.file?.close();
  }

  /** Answers within the library's callback, which sends everything in one piece. */
  write(reply: HttpReply): void {
    if (!this.isOpen) return reply.file?.close();
    this.#state = 'answering';
    this.#gone = undefined;
    this.#head.end();
    const { res } = this;
    const { status, headers = {}, body, bodyBytes, file, close = false } = reply;
    // The library writes status 200 by default.
    if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
    for (const name in headers) res.writeHeader(name, headerValue(headers[name] ?? ''));
    if (this.#head.method === 'HEAD' || status === 304) {
      endWithoutBody(this, bodyBytes ?? file?.byteLength ?? Buffer.byteLength(body), status !== 304);
      file?.close();
    } else if (file) {
      sendFile(this, file);
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

const PRINTABLE = /^[\x20-\x7e]*$/;

/** Throws for a header with a line break: the library writes headers unchecked, and a line break would start another one. */
function headerValue(value: string): string {
  return PRINTABLE.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '');
}

import type { HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { endWithoutBody } from './bodiless-reply.ts';
import { sendBytes } from './bytes-reply.ts';
import { sendFile } from './file-reply.ts';
import type { HttpReply } from './http.ts';
import type { RequestHead } from './request-head.ts';

/**
 * The way back to one caller. It is made before anybody looks at the request: the library ends the process when its
 * callback returns with neither a whole answer nor somebody who hears that the caller left, and an answer that a lost
 * connection does not take is no whole one. After the caller has gone, or the answer was given, the response is never
 * touched again.
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

  /** Whether an answer may still begin. */
  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** @param listener told when the caller leaves before the whole answer was handed over; one at a time */
  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  /** Answers later than in the library's callback for the request. */
  answer(reply: HttpReply): void {
    if (this.isOpen) this.res.cork(() => this.write(reply));
    else reply.file?.close();
  }

  /** Answers within the library's callback, which sends what is written there in one piece. */
  write(reply: HttpReply): void {
    if (!this.isOpen) return reply.file?.close();
    this.#state = 'answering';
    this.#gone = undefined;
    this.#head.end();
    const { res } = this;
    const { status, headers = {}, body, bodyBytes, file, close = false } = reply;
    // 200 is what the library writes by itself.
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

/** The library writes headers as they are: a line break in one would start another. */
function headerValue(value: string): string {
  return PRINTABLE.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '');
}

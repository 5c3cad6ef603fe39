import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { LIMITS } from '@runcloud/protocol/terms';
import { sendFile } from './file-reply.ts';
import type { BodyWanted, HttpApplication, HttpReply } from './http.ts';
import { RequestHead } from './request-head.ts';
import { type StreamedResponse, serveStreamedBody } from './streamed-body.ts';

/** Serves one request. */
export function serveHttp(res: HttpResponse, req: HttpRequest, application: HttpApplication): void {
  new Exchange(res, req).begin(application);
}

/** One request and its answer. After the caller has gone, or the answer was given, the response is never touched again. */
class Exchange implements StreamedResponse {
  readonly res: HttpResponse;
  readonly #head: RequestHead;
  #open = true;
  #gone: (() => void) | undefined;

  constructor(res: HttpResponse, req: HttpRequest) {
    this.res = res;
    this.#head = new RequestHead(res, req);
  }

  begin(application: HttpApplication): void {
    const outcome = application.begin(this.#head);
    // Most are answered at once, which the library's callback writes in one piece by itself.
    if ('status' in outcome) return this.#write(outcome);
    this.#head.keep('request');
    this.res.onAborted(() => this.#abort());
    if (outcome instanceof Promise) return void outcome.then((reply) => this.answer(reply));
    if ('admit' in outcome) return serveStreamedBody(this.#head, outcome, this);
    if (this.#head.header('transfer-encoding') !== undefined) return this.answer(outcome.refuse('length_required'));
    if (Number(this.#head.header('content-length') ?? 0) > LIMITS.httpBodyBytes) {
      // Left open, and the body let go by the library: closed, the caller that is still sending would lose the answer.
      return this.answer({ ...outcome.refuse('payload_too_large'), close: false });
    }
    readBody(this.res, (body) => this.#receive(outcome, body));
  }

  isOpen(): boolean {
    return this.#open;
  }

  onGone(listener: () => void): void {
    this.#gone = listener;
  }

  answer(reply: HttpReply): void {
    if (!this.#open) return reply.file?.close();
    this.res.cork(() => this.#write(reply));
  }

  #receive(outcome: BodyWanted, body: Uint8Array | undefined): void {
    if (!this.#open) return;
    const reply = body === undefined ? outcome.refuse('payload_too_large') : outcome.receive(body);
    if (reply instanceof Promise) void reply.then((settled) => this.answer(settled));
    else this.answer(reply);
  }

  #write(reply: HttpReply): void {
    this.#open = false;
    this.#head.end();
    writeReply(this.res, reply, this.#head.method);
  }

  #abort(): void {
    this.#open = false;
    this.#head.end();
    this.#gone?.();
  }
}

/** Hands over the whole body in one piece, or `undefined` when it is too long. */
function readBody(res: HttpResponse, done: (body: Uint8Array | undefined) => void): void {
  let chunks: Uint8Array[] = [];
  let size = 0;
  res.onData((chunk, isLast) => {
    size += chunk.byteLength;
    if (size > LIMITS.httpBodyBytes) {
      chunks = [];
      if (isLast) done(undefined);
    } else if (isLast && chunks.length === 0) {
      done(new Uint8Array(chunk));
    } else {
      // The library takes its memory back after this callback.
      chunks.push(new Uint8Array(chunk.slice(0)));
      if (isLast) done(Buffer.concat(chunks));
    }
  });
}

export function writeReply(
  res: HttpResponse,
  { status, headers = {}, body, file, close = false }: HttpReply,
  method: string,
): void {
  // 200 is what the library writes by itself.
  if (status !== 200) res.writeStatus(`${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
  for (const name in headers) res.writeHeader(name, headerValue(headers[name] ?? ''));
  if (method === 'HEAD') {
    // Told the length, the library would wait for a body of it and close the connection at the next request.
    res.writeHeader('Content-Length', String(file?.byteLength ?? Buffer.byteLength(body)));
    res.endWithoutBody();
    file?.close();
  } else if (status === 304) {
    // Without a length: it would have to be that of the file (RFC 9110, section 8.6).
    res.endWithoutBody();
    file?.close();
  } else if (file) {
    sendFile(res, file);
  } else {
    res.end(body, close);
  }
}

const PRINTABLE = /^[\x20-\x7e]*$/;

/** The library writes headers as they are: a line break in one would start another. */
function headerValue(value: string): string {
  return PRINTABLE.test(value) ? value : value.replace(/[^\x20-\x7e]/g, '');
}

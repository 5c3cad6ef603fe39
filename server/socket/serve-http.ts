import { LIMITS } from '@runcloud/protocol/terms';
import type { Exchange } from './exchange.ts';
import type { BodyWanted, HttpApplication } from './http.ts';
import type { RequestHead } from './request-head.ts';
import { serveStreamedBody } from './streamed-body.ts';

/** Serves one request. */
export function serveHttp(head: RequestHead, exchange: Exchange, application: HttpApplication): void {
  const outcome = application.begin(head);
  // Most requests are answered within the library's callback, which writes the answer in one piece.
  if ('status' in outcome) return exchange.write(outcome);
  head.keep();
  if (outcome instanceof Promise) return void outcome.then((reply) => exchange.answer(reply));
  if ('admit' in outcome) return serveStreamedBody(head, outcome, exchange);
  if (head.header('transfer-encoding') !== undefined) return exchange.answer(outcome.refuse('length_required'));
  if (Number(head.header('content-length') ?? 0) > LIMITS.httpBodyBytes) {
    // Stays open while the library discards the body: if it closed, a client that is still sending would miss the answer.
    return exchange.answer({ ...outcome.refuse('payload_too_large'), close: false });
  }
  head.follow(exchange);
  readBody(exchange, (body) => receive(outcome, body, exchange));
}

function receive(wanted: BodyWanted, body: Uint8Array | undefined, exchange: Exchange): void {
  if (!exchange.isOpen) return;
  const reply = body === undefined ? wanted.refuse('payload_too_large') : wanted.receive(body);
  if (reply instanceof Promise) void reply.then((settled) => exchange.answer(settled));
  else exchange.answer(reply);
}

/** Collects the whole body; `undefined` if it is too long. */
function readBody(exchange: Exchange, done: (body: Uint8Array | undefined) => void): void {
  let chunks: Uint8Array[] = [];
  let size = 0;
  exchange.onBody((chunk, isLast) => {
    size += chunk.byteLength;
    if (size > LIMITS.httpBodyBytes) {
      chunks = [];
      if (isLast) done(undefined);
    } else if (isLast && chunks.length === 0) {
      done(chunk);
    } else {
      // The library reuses its memory after this callback.
      chunks.push(new Uint8Array(chunk));
      if (isLast) done(Buffer.concat(chunks));
    }
  });
}

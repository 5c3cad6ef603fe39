import type { HttpResponse } from 'uWebSockets.js';
import { LIMITS } from '@runcloud/protocol/terms';
import type { BodyWanted, HttpApplication } from './http.ts';
import type { RequestHead } from './request-head.ts';
import type { Responder } from './responder.ts';
import { serveStreamedBody } from './streamed-body.ts';

/** Serves one request. */
export function serveHttp(head: RequestHead, responder: Responder, application: HttpApplication): void {
  const outcome = application.begin(head);
  // Most requests are answered within the library's callback, which writes the answer in one piece.
  if ('status' in outcome) return responder.write(outcome);
  head.keep();
  if (outcome instanceof Promise) return void outcome.then((reply) => responder.answer(reply));
  if ('admit' in outcome) return serveStreamedBody(head, outcome, responder);
  if (head.header('transfer-encoding') !== undefined) return responder.answer(outcome.refuse('length_required'));
  if (Number(head.header('content-length') ?? 0) > LIMITS.httpBodyBytes) {
    // Stays open while the library discards the body: if it closed, a client that is still sending would miss the answer.
    return responder.answer({ ...outcome.refuse('payload_too_large'), close: false });
  }
  readBody(responder.res, (body) => receive(outcome, body, responder));
}

function receive(wanted: BodyWanted, body: Uint8Array | undefined, responder: Responder): void {
  if (!responder.isOpen) return;
  const reply = body === undefined ? wanted.refuse('payload_too_large') : wanted.receive(body);
  if (reply instanceof Promise) void reply.then((settled) => responder.answer(settled));
  else responder.answer(reply);
}

/** Collects the whole body; `undefined` if it is too long. */
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
      // The library reuses its memory after this callback.
      chunks.push(new Uint8Array(chunk.slice(0)));
      if (isLast) done(Buffer.concat(chunks));
    }
  });
}

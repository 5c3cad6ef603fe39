import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { STATUS_CODES } from 'node:http';
import { LIMITS } from '@runcloud/protocol';
import { clientAddress } from './client-address.ts';
import { sendFile } from './file-reply.ts';
import {
  type HeaderName,
  type HttpApplication,
  type HttpHead,
  type HttpReply,
  KEYLESS_HEADERS,
  REQUEST_HEADERS,
  UPGRADE_HEADERS,
} from './http.ts';
import { serveStreamedBody } from './streamed-body.ts';

export function copyHead(res: HttpResponse, req: HttpRequest, kind: 'request' | 'upgrade'): HttpHead {
  const values: Partial<Record<HeaderName, string>> = {};
  const copy = (names: readonly HeaderName[]) => {
    for (const name of names) {
      const value = req.getHeader(name);
      if (value !== '') values[name] = value;
    }
  };
  copy(kind === 'request' ? REQUEST_HEADERS : UPGRADE_HEADERS);
  if (kind === 'request' && values.authorization === undefined) copy(KEYLESS_HEADERS);
  return {
    method: req.getCaseSensitiveMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    address: clientAddress(res, values['x-forwarded-for']),
    header: (name) => values[name],
  };
}

/** Serves one request. After the caller has gone, or the answer was given, the response is never touched again. */
export function serveHttp(res: HttpResponse, req: HttpRequest, application: HttpApplication): void {
  const head = copyHead(res, req, 'request');
  let open = true;
  let gone: () => void = () => undefined;
  res.onAborted(() => {
    open = false;
    gone();
  });
  const answer = (reply: HttpReply) => {
    if (!open) return reply.file?.close();
    open = false;
    res.cork(() => writeReply(res, reply, head.method));
  };
  const settle = (reply: HttpReply | Promise<HttpReply>) => {
    if (reply instanceof Promise) void reply.then(answer);
    else answer(reply);
  };
  const outcome = application.begin(head);
  if ('stream' in outcome) {
    const onGone = (listener: () => void) => {
      gone = listener;
    };
    return serveStreamedBody(head, outcome, { res, isOpen: () => open, onGone, answer });
  }
  if (!('receive' in outcome)) return settle(outcome);
  if (head.header('transfer-encoding') !== undefined) return answer(outcome.refuse('length_required'));
  if (Number(head.header('content-length') ?? 0) > LIMITS.httpBodyBytes) {
    return answer(outcome.refuse('payload_too_large'));
  }
  readBody(res, (body) => {
    if (open) settle(body === undefined ? outcome.refuse('payload_too_large') : outcome.receive(body));
  });
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

/** The library writes headers as they are: a line break in one would start another. */
function headerValue(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '');
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8';

/**
 * `fetch` as far as the SDK uses it, by `node:http`: loading Node.js's own takes longer than all else that a short command does.
 * What that one does better, streams that are sent and redirects that are followed, is left to it.
 */
export const lightFetch: typeof fetch = async (input, init = {}) => {
  const { body, redirect } = init;
  const isForm = body instanceof URLSearchParams;
  const isSimple = isForm || typeof body === 'string' || body === undefined;
  if (typeof input !== 'string' || redirect !== 'manual' || !isSimple) return fetch(input, init);
  const headers = { ...(isForm && { 'Content-Type': FORM }), ...(init.headers as Readonly<Record<string, string>>) };
  return asResponse(await answerOf(new URL(input), { ...init, headers, body: String(body ?? '') }));
};

type Ask = Pick<RequestInit, 'method' | 'signal'> & {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

async function answerOf(url: URL, { method = 'GET', headers, signal, body }: Ask): Promise<IncomingMessage> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, ...(signal && { signal }) }, resolve);
    asked.on('error', (cause) => reject(new TypeError('fetch failed', { cause })));
    asked.end(body);
  });
}

/** Only what the SDK reads: the class `Response` would load the very thing that is not to be loaded. */
function asResponse(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, headers } = incoming;
  const response: Pick<Response, 'status' | 'ok' | 'type' | 'body'> & { readonly headers: Pick<Headers, 'get'> } = {
    status,
    ok: status >= 200 && status < 300,
    type: 'basic',
    headers: { get: (name) => headers[name.toLowerCase()]?.toString() ?? null },
    body: Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>,
  };
  return response as Response;
}

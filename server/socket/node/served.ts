import type { IncomingMessage } from 'node:http';

/** Headers of one request. */
export const HEADERS_MAX = 50;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
/** Nine digits: more is sent chunked, whichever library serves. */
const CONTENT_LENGTH_CHARACTERS_MAX = 9;

/** Whether a request is one that this service answers at all; what Node.js accepts beyond that is not. */
export function isServed({ method = '', url, httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  return (
    httpVersion === '1.1' &&
    METHODS.includes(method) &&
    url?.startsWith('/') === true &&
    headers.host !== undefined &&
    rawHeaders.length <= HEADERS_MAX * 2 &&
    (headers['content-length'] ?? '').length <= CONTENT_LENGTH_CHARACTERS_MAX
  );
}

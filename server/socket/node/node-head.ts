import type { IncomingMessage } from 'node:http';
import type { HeaderName } from '../http.ts';
import type { HeadSource } from '../request-head.ts';

/** Reads the head of a request of `node:http`. */
export class NodeHead implements HeadSource {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #request: IncomingMessage;

  constructor(request: IncomingMessage) {
    const { method = '', url = '' } = request;
    const mark = url.indexOf('?');
    this.method = method;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.#request = request;
  }

  header(name: HeaderName | 'x-forwarded-for'): string {
    // Node.js joins the lines of some headers; the first one alone counts.
    const { rawHeaders } = this.#request;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      if (isNamed(rawHeaders[at], name)) return rawHeaders[at + 1] ?? '';
    }
    return '';
  }

  remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }

  lastForwarded(): string | undefined {
    const { rawHeaders } = this.#request;
    for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
      if (isNamed(rawHeaders[at], 'x-forwarded-for')) return rawHeaders[at + 1];
    }
    return undefined;
  }
}

/** Most names differ in their length. */
const isNamed = (given: string | undefined, name: string): boolean =>
  given?.length === name.length && given.toLowerCase() === name;

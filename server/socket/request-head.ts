import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { clientAddress } from './client-address.ts';
import { type HeaderName, type HttpHead, KEYLESS_HEADERS, REQUEST_HEADERS, UPGRADE_HEADERS } from './http.ts';

/**
 * The head of one request. Within the library's callback headers are read when they are asked for, since most are never;
 * `keep` copies all that may be asked for later.
 */
export class RequestHead implements HttpHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #values: Partial<Record<HeaderName, string>> = {};
  #req: HttpRequest | undefined;
  #res: HttpResponse | undefined;
  #address: string | undefined;

  constructor(res: HttpResponse, req: HttpRequest) {
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    this.query = req.getQuery() ?? '';
    this.#req = req;
    this.#res = res;
  }

  /** Throws when the answer was given, or the caller has gone, before anybody asked. */
  get address(): string {
    if (this.#address === undefined) {
      if (!this.#res) throw new Error('the request has ended');
      const isKeyless = this.header('authorization') === undefined;
      this.#address = clientAddress(this.#res, isKeyless ? this.header('x-forwarded-for') : undefined);
    }
    return this.#address;
  }

  header(name: HeaderName): string | undefined {
    const known = this.#values[name];
    if (known !== undefined || !this.#req) return known;
    const value = this.#req.getHeader(name);
    if (value === '') return undefined;
    this.#values[name] = value;
    return value;
  }

  /** To be called before the library's callback returns, when not all has been said and done by then. */
  keep(kind: 'request' | 'upgrade'): void {
    for (const name of kind === 'request' ? REQUEST_HEADERS : UPGRADE_HEADERS) this.header(name);
    // A request with a key is judged by the key, and spared the reading.
    if (kind === 'request' && this.#values.authorization === undefined) {
      for (const name of KEYLESS_HEADERS) this.header(name);
    }
    this.#req = undefined;
  }

  /** The request has ended: the library's objects are not to be touched again. */
  end(): void {
    this.#req = undefined;
    this.#res = undefined;
  }
}

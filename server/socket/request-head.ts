import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { type ClientAddress, clientAddress } from './client-address.ts';
import { type HeaderName, type HttpHead, KEYLESS_HEADERS, REQUEST_HEADERS } from './http.ts';

/**
 * The head of one request. During the library's callback headers are read on demand, since most are never needed; `keep`
 * copies those that may be needed later.
 */
export class RequestHead implements HttpHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #values: Partial<Record<HeaderName, string>> = {};
  #req: HttpRequest | undefined;
  #res: HttpResponse | undefined;
  #whence: ClientAddress | undefined;

  constructor(res: HttpResponse, req: HttpRequest) {
    this.method = req.getCaseSensitiveMethod();
    this.path = req.getUrl();
    this.query = req.getQuery() ?? '';
    this.#req = req;
    this.#res = res;
  }

  get address(): string {
    return this.#from.address;
  }

  get network(): string {
    return this.#from.network;
  }

  header(name: HeaderName): string | undefined {
    const known = this.#values[name];
    if (known !== undefined || !this.#req) return known;
    const value = this.#req.getHeader(name);
    if (value === '') return undefined;
    this.#values[name] = value;
    return value;
  }

  /** Must be called before the library's callback returns if the request is not answered by then. */
  keep(): void {
    for (const name of REQUEST_HEADERS) this.header(name);
    // A request with a key is identified by the key: the cookie is not read.
    if (this.#values.authorization === undefined) {
      for (const name of KEYLESS_HEADERS) this.header(name);
    }
    this.#req = undefined;
  }

  get #from(): ClientAddress {
    if (this.#whence === undefined) {
      if (!this.#req || !this.#res) throw new Error('the request was not asked for its address in time');
      this.#whence = clientAddress(this.#res, this.#req);
    }
    return this.#whence;
  }

  /** Called when the callback returns: the library's objects must not be used again. */
  end(): void {
    this.#req = undefined;
    this.#res = undefined;
  }
}

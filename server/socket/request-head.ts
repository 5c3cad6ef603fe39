import { type ClientAddress, clientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';
import { type HeaderName, type HttpHead, KEYLESS_HEADERS, MCP_HEADERS, REQUEST_HEADERS } from './http.ts';

/** The head of a request as its library tells it, which may be only until the library's callback returns. */
export interface HeadSource {
  readonly method: string;
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** The first line of a header; empty if it is absent. */
  header(name: HeaderName): string;
  /** The address of the connection. */
  remoteAddress(): string;
  /** The last `X-Forwarded-For` line, if there is one. */
  lastForwarded(): string | undefined;
}

/**
 * The head of one request. During the library's callback headers are read on demand, since most are never needed; `keep`
 * copies those that may be needed later.
 */
export class RequestHead implements HttpHead {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #values: Partial<Record<HeaderName, string>> = {};
  #source: HeadSource | undefined;
  #exchange: Pick<Exchange, 'isOpen' | 'onGone'> | undefined;
  #whence: ClientAddress | undefined;

  constructor(source: HeadSource) {
    this.method = source.method;
    this.path = source.path;
    this.query = source.query;
    this.#source = source;
  }

  get address(): string {
    return this.#from.address;
  }

  get network(): string {
    return this.#from.network;
  }

  header(name: HeaderName): string | undefined {
    const known = this.#values[name];
    if (known !== undefined || !this.#source) return known;
    const value = this.#source.header(name);
    if (value === '') return undefined;
    this.#values[name] = value;
    return value;
  }

  onGone(listener: () => void): void {
    if (this.#exchange?.isOpen) this.#exchange.onGone(listener);
    else if (this.#exchange) listener();
  }

  /** The exchange whose head this is. */
  follow(exchange: Pick<Exchange, 'isOpen' | 'onGone'>): void {
    this.#exchange = exchange;
  }

  /** Must be called before the library's callback returns if the request is not answered by then. */
  keep(): void {
    for (const name of REQUEST_HEADERS) this.header(name);
    const [version] = MCP_HEADERS;
    if (this.header(version) !== undefined) for (const name of MCP_HEADERS) this.header(name);
    // A request with a key is identified by the key: the cookie is not read.
    if (this.#values.authorization === undefined) {
      for (const name of KEYLESS_HEADERS) this.header(name);
    }
    this.#source = undefined;
  }

  get #from(): ClientAddress {
    if (this.#whence === undefined) {
      const source = this.#source;
      if (!source) throw new Error('the request was not asked for its address in time');
      this.#whence = clientAddress(source.remoteAddress(), () => source.lastForwarded());
    }
    return this.#whence;
  }

  /** Called when the callback returns: the library's objects must not be used again. */
  end(): void {
    this.#source = undefined;
  }
}

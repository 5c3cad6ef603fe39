import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { HeaderName } from '../http.ts';
import type { HeadSource } from '../request-head.ts';

/** Reads the library's objects of a request, which are valid until its callback returns. */
export class NativeHead implements HeadSource {
  readonly #res: Pick<HttpResponse, 'getRemoteAddressAsText'>;
  readonly #req: HttpRequest;

  constructor(res: Pick<HttpResponse, 'getRemoteAddressAsText'>, req: HttpRequest) {
    this.#res = res;
    this.#req = req;
  }

  get method(): string {
    return this.#req.getCaseSensitiveMethod();
  }

  get path(): string {
    return this.#req.getUrl();
  }

  get query(): string {
    return this.#req.getQuery() ?? '';
  }

  header(name: HeaderName): string {
    return this.#req.getHeader(name);
  }

  remoteAddress(): string {
    return Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1');
  }

  lastForwarded(): string | undefined {
    // The library returns only the first line of a header; the others need an iteration over all headers.
    if (this.#req.getHeader('x-forwarded-for') === '') return undefined;
    let lastLine: string | undefined;
    this.#req.forEach((name, value) => {
      if (name === 'x-forwarded-for') lastLine = value;
    });
    return lastLine;
  }
}

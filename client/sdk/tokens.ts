import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedListQuery } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import type { TokenRecord } from './types.ts';

/** Signed-in programs (device flow), such as the command line. */
export class Tokens {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A page of them, newest first; its `next` is the `cursor` of the next page. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<TokenRecord>> {
    return this.#page(checkedListQuery({ limit, cursor }), signal);
  }

  /** All of them, newest first; pages are read as you iterate. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<TokenRecord> {
    return everyItem((query) => this.#page(query, signal));
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<TokenRecord>> {
    const operation = general('tokens.list');
    const call = { operation, ...routeTo('GET /service/account/tokens'), signal };
    return readPage(this.#http, call, 'tokens', query);
  }

  /** Signs the program out: its tokens are refused from now on, and its sockets close. Repeating it changes nothing. */
  async revoke(tokenId: string, { signal }: CallOptions = {}): Promise<void> {
    const to = routeTo('DELETE /service/account/tokens/{tokenId}', { tokenId: checkedId('tokenId', tokenId) });
    await this.#http.json({ operation: general('tokens.revoke'), ...to, signal, repeatable: true });
  }
}

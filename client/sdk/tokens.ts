import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedListQuery } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import type { TokenRecord } from './types.ts';

/** Programs that were let in by a sign-in, the command line among them. */
export class Tokens {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** A page of the programs that are signed in, newest first; its `next` is the `cursor` of the next one. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<TokenRecord>> {
    return this.#page(checkedListQuery({ limit, cursor }), signal);
  }

  /** All of them, newest first, read page by page as they are taken. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<TokenRecord> {
    return everyItem((query) => this.#page(query, signal));
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<TokenRecord>> {
    const operation = general('tokens.list');
    const call = { operation, ...routeTo('GET /service/account/tokens'), signal };
    return readPage(this.#http, call, 'tokens', query);
  }

  /** Signs the program out: its tokens open nothing from now on, and what they opened is closed. Repeated: the same. */
  async revoke(tokenId: string, { signal }: CallOptions = {}): Promise<void> {
    const to = routeTo('DELETE /service/account/tokens/{tokenId}', { tokenId: checkedId('tokenId', tokenId) });
    await this.#http.json({ operation: general('tokens.revoke'), ...to, signal, repeatable: true });
  }
}

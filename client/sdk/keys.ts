import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedId, checkedKeyRequest, checkedListQuery } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import { everyItem, type Page, type PageOptions, type Query, readPage } from './pages.ts';
import type { CreatedKey, CreateKeyRequest, KeyRecord } from './types.ts';

export interface RevokeKeyOptions extends CallOptions {
  /** Revokes the keys that were made with it, too. */
  readonly minted?: boolean | undefined;
}

/** API keys of the account. */
export class Keys {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Its `key` is shown this once. Repeating it would make another key, so a lost answer is a failure. */
  async create(request: CreateKeyRequest, { signal }: CallOptions = {}): Promise<CreatedKey> {
    const json = checkedKeyRequest(request);
    const operation = general('keys.create');
    return this.#http.json({ operation, ...routeTo('POST /service/account/keys'), json, signal });
  }

  /** A page of the keys that are not revoked, newest first; its `next` is the `cursor` of the next one. */
  async list({ signal, limit, cursor }: PageOptions = {}): Promise<Page<KeyRecord>> {
    return this.#page(checkedListQuery({ limit, cursor }), signal);
  }

  /** All of them, newest first, read page by page as they are taken. */
  all({ signal }: CallOptions = {}): AsyncIterableIterator<KeyRecord> {
    return everyItem((query) => this.#page(query, signal));
  }

  #page(query: Query, signal: AbortSignal | undefined): Promise<Page<KeyRecord>> {
    const operation = general('keys.list');
    const call = { operation, ...routeTo('GET /service/account/keys'), signal };
    return readPage(this.#http, call, 'keys', query);
  }

  /**
   * Revokes the key and closes the connections that it opened. A repeated call has the same result. With `minted`, also revokes
   * the keys that were created and the programs that were approved with this key, which a thief of the key may have done.
   * Resolves with their ids.
   */
  async revoke(keyId: string, { minted = false, signal }: RevokeKeyOptions = {}): Promise<readonly string[]> {
    const { method, path } = routeTo('DELETE /service/account/keys/{keyId}', { keyId: checkedId('keyId', keyId) });
    const revoked = await this.#http.json<{ readonly minted?: readonly string[] }>({
      operation: general('keys.revoke'),
      method,
      path: minted ? `${path}?minted=true` : path,
      signal,
      repeatable: true,
    });
    return revoked.minted ?? [];
  }
}

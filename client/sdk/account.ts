import { routeTo } from '../../protocol/routes/address.ts';
import type { CallOptions } from './actions.ts';
import { checkedKeyRequest } from './arguments.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { Account, RevokedAll } from './types.ts';

export interface RevokeAllOptions extends CallOptions {
  /** The name of a new key. */
  readonly newKey?: string | undefined;
}

/** The account that the credential belongs to. */
export class Accounts {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** Reads the account of the credential. */
  async get({ signal }: CallOptions = {}): Promise<Account> {
    const operation = general('account.get');
    return this.#http.json({ operation, ...routeTo('GET /service/account'), signal });
  }

  /**
   * Revokes every credential of the account, including this client's: keys, programs, signed-in browsers, viewer links and
   * sessions' addresses. Their sockets close. `newKey` names a new key to create; only this answer contains it, so a lost
   * answer loses the key.
   */
  async revokeAll({ newKey, signal }: RevokeAllOptions = {}): Promise<RevokedAll> {
    const json = newKey === undefined ? {} : { newKey: checkedKeyRequest({ name: newKey }).name };
    const operation = general('account.revokeAll');
    return this.#http.json({ operation, ...routeTo('POST /service/account/revocations'), json, signal });
  }
}

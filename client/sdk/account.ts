import type { CallOptions } from './actions.ts';
import type { Http } from './http.ts';
import { general } from './operations.ts';
import type { Account } from './types.ts';

/** The account that the credential belongs to. */
export class Accounts {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  async get({ signal }: CallOptions = {}): Promise<Account> {
    const operation = general('account.get');
    return this.#http.json({ operation, method: 'GET', path: '/service/account', signal, repeatable: true });
  }
}

import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { AccountRow } from '../store/account-table.ts';
import type { KeyRow } from '../store/key-table.ts';
import type { Store } from '../store/store.ts';
import { AccountError } from './account-error.ts';
import { digestOf, isGivenKey, makeApiKey } from './api-key.ts';

export type Account = AccountRow;

/** A key at the only moment at which it is known. */
export interface IssuedKey {
  readonly account: Account;
  readonly keyId: string;
  readonly key: string;
}

/** The account of an installation that nobody has divided into accounts. */
export const LOCAL_ACCOUNT = 'local';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
const NAME_RULE = '1 to 64 of the characters A-Z a-z 0-9 . _ @ + -, the first a letter or digit';

/** Of a key's name: any text of one line. */
const KEY_NAME = /^[^\p{Cc}]{1,64}$/u;

/** Accounts and their API keys. Every failure is an `AccountError`; SQLite's own errors pass through. */
export class Accounts {
  readonly #store;
  readonly #clock;

  constructor(store: Pick<Store, 'accounts' | 'keys' | 'atomically'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Makes an account and its first key. */
  create(name: string): IssuedKey {
    return this.#store.atomically(() => this.#issue(this.#make(name), makeApiKey(), 'first'));
  }

  /** Makes an account, without a key, for the owner of an e-mail address. */
  createFor(email: string): Account {
    // Most addresses can be names; one that cannot, or is another account's name, stays out of sight.
    const name = NAME.test(email) && !this.#store.accounts.byName(email) ? email : newId('acc');
    return this.#make(name);
  }

  /** All accounts, oldest first. */
  list(): Account[] {
    return this.#store.accounts.list();
  }

  /** One account's keys, oldest first, the revoked ones with them. */
  listKeys(accountName: string): KeyRow[] {
    return this.#store.keys.list(this.named(accountName).id);
  }

  createKey(accountName: string, keyName = 'unnamed'): IssuedKey {
    if (!KEY_NAME.test(keyName)) {
      throw new AccountError('invalid', 'A key name has 1 to 64 characters, none of them a control character');
    }
    return this.#issue(this.named(accountName), makeApiKey(), keyName);
  }

  /** Ends a key, named by its id or by itself, for good. Revoking again changes nothing. */
  revokeKey(keyIdOrKey: string): KeyRow {
    const { keys } = this.#store;
    const found = keys.byId(keyIdOrKey) ?? keys.byDigest(digestOf(keyIdOrKey));
    // The text may be a key with a slip in it: the message does not repeat it.
    if (!found) throw new AccountError('unknown', 'There is no such key');
    keys.revoke(found.id, this.#clock.wallMs());
    return keys.byId(found.id) ?? found;
  }

  /**
   * Makes `key`, which the operator chose, a key of the named account, made when it is absent, and revokes what the operator
   * gave before: whoever changes the setting wants the former key to end. Keys that were made otherwise stay, and what was
   * revoked never comes back. Repeating it changes nothing.
   */
  ensureGivenKey(accountName: string, key: string): { readonly account: Account; readonly revoked: number } {
    if (!isGivenKey(key)) throw new AccountError('invalid', 'A given key has 20 to 200 visible ASCII characters');
    const { accounts, keys } = this.#store;
    const outcome = this.#store.atomically(() => {
      const account = accounts.byName(accountName) ?? this.#make(accountName);
      const digest = digestOf(key);
      const known = keys.byDigest(digest);
      if (known && known.accountId !== account.id) {
        throw new AccountError('taken', 'The given key belongs to another account');
      }
      if (!known) this.#issue(account, key, 'given', true);
      const isAnother = !known || keys.markGiven(known.id);
      if (known?.revokedAtMs !== undefined) return undefined;
      // A key that was given before as well says that the setting is what it was: nothing is to end by it.
      const former = isAnother ? keys.otherGiven(account.id, digest) : [];
      for (const id of former) keys.revoke(id, this.#clock.wallMs());
      return { account, revoked: former.length };
    });
    // Not before the mark is written, which keeps it known as revoked.
    if (!outcome) throw new AccountError('revoked', 'The given key has been revoked');
    return outcome;
  }

  /** On an installation without any account: makes `local` and its first key. Else nothing, and `undefined`. */
  ensureLocalAccount(): IssuedKey | undefined {
    return this.#store.atomically(() => (this.list().length === 0 ? this.create(LOCAL_ACCOUNT) : undefined));
  }

  /** Throws an `AccountError` for a name that no account has. */
  named(name: string): Account {
    const account = this.#store.accounts.byName(name);
    if (!account) throw new AccountError('unknown', `There is no account ${JSON.stringify(name)}`);
    return account;
  }

  #make(name: string): Account {
    if (!NAME.test(name)) throw new AccountError('invalid', `An account name has ${NAME_RULE}`);
    const account = {
      id: newId('acc'),
      organizationId: newId('org'),
      name,
      createdAtMs: this.#clock.wallMs(),
    };
    if (!this.#store.accounts.insert(account)) throw new AccountError('taken', `There is an account ${name} already`);
    return account;
  }

  #issue(account: Account, key: string, name: string, given = false): IssuedKey {
    const keyId = newId('key');
    const row = { id: keyId, accountId: account.id, name, digest: digestOf(key), createdAtMs: this.#clock.wallMs() };
    if (!this.#store.keys.insert({ ...row, given })) throw new AccountError('taken', 'The key is in use already');
    return { account, keyId, key };
  }
}

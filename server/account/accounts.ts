import { newId } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { AccountRow } from '../store/account-table.ts';
import type { KeyRow } from '../store/key-table.ts';
import type { Store } from '../store/store.ts';
import { AccountError } from './account-error.ts';
import { digestOf, isGivenKey, makeApiKey } from './api-key.ts';

export type Account = AccountRow;

/** A new key; only its digest is stored. */
export interface IssuedKey {
  readonly account: Account;
  readonly keyId: string;
  readonly key: string;
}

/** The default account. */
export const LOCAL_ACCOUNT = 'local';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._@+-]{0,63}$/;
const NAME_RULE = '1 to 64 of the characters A-Z a-z 0-9 . _ @ + -, the first a letter or digit';

/** A key's name: any text without line breaks. */
const KEY_NAME = /^[^\p{Cc}]{1,64}$/u;

/** Accounts and their API keys. Every failure is an `AccountError`; SQLite's own errors pass through. */
export class Accounts {
  readonly #store;
  readonly #clock;

  constructor(store: Pick<Store, 'accounts' | 'keys' | 'atomically'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Creates an account and its first key. */
  create(name: string): IssuedKey {
    return this.#store.atomically(() => this.#issue(this.#make(name), makeApiKey(), 'first'));
  }

  /** Creates an account without a key for an e-mail address. */
  createFor(email: string): Account {
    // The address becomes the account's name, unless it is not a valid name or is taken.
    const name = NAME.test(email) && !this.#store.accounts.byName(email) ? email : newId('acc');
    return this.#make(name);
  }

  /** All accounts, oldest first. */
  list(): Account[] {
    return this.#store.accounts.list();
  }

  /** One account's keys, oldest first, including revoked ones. */
  listKeys(accountName: string): KeyRow[] {
    return this.#store.keys.list(this.named(accountName).id);
  }

  createKey(accountName: string, keyName = 'unnamed'): IssuedKey {
    if (!KEY_NAME.test(keyName)) {
      throw new AccountError('invalid', 'A key name has 1 to 64 characters, none of them a control character');
    }
    return this.#issue(this.named(accountName), makeApiKey(), keyName);
  }

  /** Revokes a key, given by its id or its text. Idempotent. */
  revokeKey(keyIdOrKey: string): KeyRow {
    const { keys } = this.#store;
    const found = keys.byId(keyIdOrKey) ?? keys.byDigest(digestOf(keyIdOrKey));
    // The text may be a mistyped key, so the message does not repeat it.
    if (!found) throw new AccountError('unknown', 'There is no such key');
    keys.revoke(found.id, this.#clock.wallMs());
    return keys.byId(found.id) ?? found;
  }

  /**
   * Adds the operator's `key` to the named account, which is created if it is absent, and revokes the operator's former keys: a
   * changed setting replaces them. Keys that were created otherwise stay, and a revoked key stays revoked. Idempotent.
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
      // The same key as before: the setting has not changed, so nothing is revoked.
      const former = isAnother ? keys.otherGiven(account.id, digest) : [];
      for (const id of former) keys.revoke(id, this.#clock.wallMs());
      return { account, revoked: former.length };
    });
    // Only after the mark is stored, which keeps the key known as revoked.
    if (!outcome) throw new AccountError('revoked', 'The given key has been revoked');
    return outcome;
  }

  /** Creates the account `local` and its first key if there is no account; otherwise returns `undefined`. */
  ensureLocalAccount(): IssuedKey | undefined {
    return this.#store.atomically(() => (this.list().length === 0 ? this.create(LOCAL_ACCOUNT) : undefined));
  }

  /** Throws an `AccountError` for an unknown name. */
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

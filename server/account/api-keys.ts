import type { CreatedKey, KeyRecord, KeyRequest } from '@runcloud/protocol';
import { LIMITS, newId, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { KeyRow } from '../store/key-table.ts';
import type { Store } from '../store/store.ts';
import { digestOf, makeApiKey } from './api-key.ts';
import type { Principal } from './authenticator.ts';

type Who = Pick<Principal, 'accountId'> & Partial<Pick<Principal, 'keyId'>>;

/** An account's own API keys, as its owner sees and changes them. */
export class ApiKeys {
  readonly #store;
  readonly #keys;
  readonly #clock;

  constructor(store: Pick<Store, 'keys' | 'atomically'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#keys = store.keys;
    this.#clock = clock;
  }

  /** The keys that are not revoked, newest first. */
  list({ accountId }: Who, span: Span): Page<KeyRecord> {
    return mapPage(this.#keys.page(accountId, span), toRecord);
  }

  /** Throws `rate_limited` when the account has all the keys that it may have. */
  create({ accountId, keyId }: Who, { name, ttlMs }: KeyRequest): CreatedKey {
    if (this.#keys.count(accountId) >= LIMITS.keysPerAccount) {
      throw new ServiceError('rate_limited', `The account has ${LIMITS.keysPerAccount} keys; revoke one of them.`);
    }
    const key = makeApiKey();
    const createdAtMs = Math.floor(this.#clock.wallMs());
    const row: KeyRow = {
      id: newId('key'),
      accountId,
      name,
      digest: digestOf(key),
      createdAtMs,
      ...(keyId === undefined ? {} : { mintedBy: keyId }),
      ...(ttlMs === undefined ? {} : { expiresAtMs: createdAtMs + ttlMs }),
    };
    this.#keys.insert(row);
    return { ...toRecord(row), key };
  }

  /**
   * All of it or, when it throws, nothing. Repeated: the same. Throws `key_not_found` for a key that the account never had.
   * @param withMinted revokes the keys that were made with it, and with those, too: whoever had it may have made them
   * @returns the ids of those
   */
  revoke({ accountId }: Who, id: string, withMinted = false): readonly string[] {
    const atMs = Math.floor(this.#clock.wallMs());
    return this.#store.atomically(() => {
      if (this.#keys.byId(id)?.accountId !== accountId) throw new ServiceError('key_not_found');
      const minted = withMinted ? this.#keys.mintedWith(accountId, id) : [];
      for (const one of [id, ...minted]) this.#keys.revoke(one, atMs);
      return minted;
    });
  }
}

function toRecord({ id, name, createdAtMs, expiresAtMs, lastUsedAtMs, mintedBy }: KeyRow): KeyRecord {
  return {
    id,
    name,
    createdAt: isoTimestamp(createdAtMs),
    ...(expiresAtMs === undefined ? {} : { expiresAt: isoTimestamp(expiresAtMs) }),
    ...(mintedBy === undefined ? {} : { mintedBy }),
    ...(lastUsedAtMs === undefined ? {} : { lastUsedAt: isoTimestamp(lastUsedAtMs) }),
  };
}

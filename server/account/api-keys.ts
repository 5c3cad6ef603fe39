import type { CreatedKey, KeyRecord, KeyRequest } from '@runcloud/protocol';
import { LIMITS, newId, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { KeyRow } from '../store/key-table.ts';
import type { Store } from '../store/store.ts';
import { digestOf, makeApiKey } from './api-key.ts';
import type { Principal } from './authenticator.ts';
import { type AskingCredential, holdLive } from './hold-live.ts';

type Who = Pick<Principal, 'accountId'> & AskingCredential;

/** The API keys of an account, for its owner. */
export class ApiKeys {
  readonly #store;
  readonly #keys;
  readonly #clock;
  readonly #onRevoked;

  /** @param onRevoked called for each program that ends with the key that approved it, so that its sockets are closed */
  constructor(
    store: Pick<Store, 'keys' | 'tokens' | 'signIns' | 'deviceAuthorizations' | 'atomically'>,
    clock: Pick<Clock, 'wallMs'>,
    onRevoked: (grantId: string) => void = () => undefined,
  ) {
    this.#store = store;
    this.#keys = store.keys;
    this.#clock = clock;
    this.#onRevoked = onRevoked;
  }

  /** The keys that are not revoked, newest first. */
  list({ accountId }: Who, span: Span): Page<KeyRecord> {
    return mapPage(this.#keys.page(accountId, span), toRecord);
  }

  /** Throws `rate_limited` if the account has the maximum number of keys. */
  create({ accountId, keyId, kind }: Who, { name, ttlMs }: KeyRequest): CreatedKey {
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
    this.#store.atomically(() => {
      holdLive(this.#store, { keyId, kind }, createdAtMs);
      this.#keys.insert(row);
    });
    return { ...toRecord(row), key };
  }

  /**
   * Revokes a key atomically. Idempotent. Throws `key_not_found` for a key that the account never had.
   * @param withMinted also revokes, recursively, the keys created and the programs approved with it: a thief of the key may
   *   have done that
   * @returns the ids of these keys and programs
   */
  revoke({ accountId }: Who, id: string, withMinted = false): readonly string[] {
    const atMs = Math.floor(this.#clock.wallMs());
    const { tokens, deviceAuthorizations } = this.#store;
    const { keys, programs } = this.#store.atomically(() => {
      if (this.#keys.byId(id)?.accountId !== accountId) throw new ServiceError('key_not_found');
      const minted = withMinted ? this.#keys.mintedWith(accountId, id) : [];
      this.#keys.revoke(id, atMs);
      // An approved program that has not fetched its tokens gets none.
      if (withMinted) for (const one of [id, ...minted]) deviceAuthorizations.removeDecidedBy(one);
      return {
        keys: minted.filter((one) => this.#keys.revoke(one, atMs)),
        programs: minted.filter((one) => tokens.revoke(accountId, one, atMs) === 'revoked'),
      };
    });
    for (const program of programs) this.#onRevoked(program);
    return [...keys, ...programs];
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

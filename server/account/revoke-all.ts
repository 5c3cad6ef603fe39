import type { CreatedKey, RevokedAll } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';
import type { ApiKeys } from './api-keys.ts';

export interface RevokeAllOptions {
  readonly store: Store;
  readonly keys: Pick<ApiKeys, 'create'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Called when all credentials are revoked, so that their sockets are closed. */
  readonly onRevoked: () => void;
}

/**
 * Revokes every credential of an account that may be compromised, in one transaction, including pending ones: whoever had one
 * may have created others with it. The password stays, since a credential alone cannot change it.
 */
export class RevokeAll {
  readonly #options: RevokeAllOptions;

  constructor(options: RevokeAllOptions) {
    this.#options = options;
  }

  /** @param newKeyName creates a key of this name: the only credential that is left */
  run(accountId: string, newKeyName?: string): RevokedAll {
    const { store, keys, clock, onRevoked } = this.#options;
    const atMs = Math.floor(clock.wallMs());
    const outcome = store.atomically(() => {
      // The new key is created last, because the account may have reached its limit of keys.
      const counts = {
        keys: store.keys.revokeAll(accountId, atMs),
        tokens: store.tokens.revokeAll(accountId, atMs),
        signIns: store.signIns.endAll(accountId),
        viewerLinks: store.viewerLinks.revokeAll(accountId, atMs),
      };
      store.deviceAuthorizations.removeOf(accountId);
      store.oneTimeLinks.removeOf(accountId);
      store.accounts.beginEpoch(accountId);
      const newKey: { readonly newKey?: CreatedKey } =
        newKeyName === undefined ? {} : { newKey: keys.create({ accountId }, { name: newKeyName }) };
      return { ...counts, ...newKey };
    });
    onRevoked();
    return outcome;
  }
}

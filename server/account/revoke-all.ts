import type { CreatedKey, RevokedAll } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { Store } from '../store/store.ts';
import type { ApiKeys } from './api-keys.ts';

export interface RevokeAllOptions {
  readonly store: Store;
  readonly keys: Pick<ApiKeys, 'create'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Told when nothing opens the account any more: what was opened is to be closed. */
  readonly onRevoked: () => void;
}

/**
 * The way out when somebody else may have a credential of an account, and made others with it: every one of them ends, in one
 * transaction, those that are on their way included. The password stays: nobody could set it by a credential alone.
 */
export class RevokeAll {
  readonly #options: RevokeAllOptions;

  constructor(options: RevokeAllOptions) {
    this.#options = options;
  }

  /** @param newKeyName makes a key of this name, the only credential that is left */
  run(accountId: string, newKeyName?: string): RevokedAll {
    const { store, keys, clock, onRevoked } = this.#options;
    const atMs = Math.floor(clock.wallMs());
    const outcome = store.atomically(() => {
      // Of an account that has all the keys that it may have the new one is made after these are gone.
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

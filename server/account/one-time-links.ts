import { isEmail } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { OneTimeLinkRow } from '../store/one-time-link-table.ts';
import type { Store } from '../store/store.ts';
import { AccountError } from './account-error.ts';
import { digestOf } from './api-key.ts';
import { REPEATABLE_MS } from './repeats.ts';
import { isSecret, makeSecret } from './secret-text.ts';

/** Lifetime of an invitation: time to find and read an e-mail. */
export const INVITATION_LIFE_MS = 7 * 86_400_000;
/** Lifetime of a sign-in link: time to get from a terminal to a browser. */
export const SIGN_IN_LINK_LIFE_MS = 15 * 60_000;

/** A new link; only the digest of its secret is stored. */
export interface IssuedLink {
  /** Path and fragment. The secret is in the fragment, which browsers do not send. */
  readonly path: string;
  readonly expiresAtMs: number;
}

/** One-time links of the dashboard: invitations to choose a password, and sign-ins without a password. */
export class OneTimeLinks {
  readonly #store;
  readonly #clock;

  constructor(store: Pick<Store, 'accounts' | 'passwords' | 'oneTimeLinks'>, clock: Pick<Clock, 'wallMs'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates an invitation for `email` to choose a password: for the account with this address, else for the named one, else for a
   * new one. An earlier invitation of the address becomes invalid. Throws an `AccountError`.
   */
  invite(email: string, accountName?: string): IssuedLink {
    if (!isEmail(email)) throw new AccountError('invalid', 'This is not an e-mail address');
    const owner = this.#store.passwords.byEmail(email)?.accountId;
    const accountId = accountName === undefined ? owner : this.#named(accountName);
    if (owner !== undefined && owner !== accountId) {
      throw new AccountError('taken', 'The e-mail address belongs to another account');
    }
    const whose = accountId === undefined ? {} : { accountId };
    return this.#issue('welcome', INVITATION_LIFE_MS, { purpose: 'invitation', email, ...whose });
  }

  /** A link that signs in to the named account without a password. Throws an `AccountError`. */
  signIn(accountName: string): IssuedLink {
    return this.#issue('enter', SIGN_IN_LINK_LIFE_MS, { purpose: 'sign-in', accountId: this.#named(accountName) });
  }

  /** Looks up a link; `undefined` if it is unknown, used or expired. */
  read(secret: string, purpose: OneTimeLinkRow['purpose']): OneTimeLinkRow | undefined {
    if (!isSecret('link', secret)) return undefined;
    return this.#store.oneTimeLinks.read(digestOf(secret), purpose, this.#clock.wallMs());
  }

  /** Consumes a link; of concurrent callers only one gets it. */
  take(secret: string, purpose: OneTimeLinkRow['purpose']): OneTimeLinkRow | undefined {
    if (!isSecret('link', secret)) return undefined;
    return this.#store.oneTimeLinks.take(digestOf(secret), purpose, Math.floor(this.#clock.wallMs()));
  }

  /** A link that was consumed recently, since the answer to its first use may have been lost. */
  taken(secret: string, purpose: OneTimeLinkRow['purpose']): OneTimeLinkRow | undefined {
    if (!isSecret('link', secret)) return undefined;
    const nowMs = Math.floor(this.#clock.wallMs());
    return this.#store.oneTimeLinks.taken(digestOf(secret), purpose, nowMs - REPEATABLE_MS, nowMs);
  }

  /** Stores the sign-in that a link has created. */
  brought({ digest }: OneTimeLinkRow, signInId: string): void {
    this.#store.oneTimeLinks.open(digest, signInId);
  }

  #named(name: string): string {
    const account = this.#store.accounts.byName(name);
    if (!account) throw new AccountError('unknown', `There is no account ${JSON.stringify(name)}`);
    return account.id;
  }

  #issue(page: string, lifeMs: number, row: Pick<OneTimeLinkRow, 'purpose' | 'accountId' | 'email'>): IssuedLink {
    const secret = makeSecret('link');
    const createdAtMs = Math.floor(this.#clock.wallMs());
    const expiresAtMs = createdAtMs + lifeMs;
    this.#store.oneTimeLinks.insert({ ...row, digest: digestOf(secret), createdAtMs, expiresAtMs });
    return { path: `/dashboard/${page}#${secret}`, expiresAtMs };
  }
}

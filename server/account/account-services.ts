import type { Account } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { type Authenticator, bearerOf, type Principal } from './authenticator.ts';
import { DashboardSignIns } from './dashboard-sign-ins.ts';
import { DeviceAuthorizations } from './device-authorizations.ts';
import { KnownBrowsers } from './known-browsers.ts';
import { OAuthTokens } from './oauth-tokens.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { PasswordHasher } from './password-hash.ts';
import { RevokeAll } from './revoke-all.ts';
import { isSecret } from './secret-text.ts';
import { SignIn } from './sign-in.ts';
import { usageOf } from './usage.ts';

export interface AccountServicesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly accounts: Accounts;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  /** The current secret that signs the marks of known browsers. */
  readonly browserSecret: () => Uint8Array;
  /** Called when all credentials of an account were revoked. */
  readonly onAllRevoked: () => void;
  /** Called for each program whose grant ends, so that its sockets are closed. */
  readonly onRevoked: (grantId: string) => void;
  readonly hasher?: PasswordHasher;
}

/** The services of accounts: credentials, sign-in, usage. */
export class AccountServices {
  readonly keys: ApiKeys;
  readonly tokens: OAuthTokens;
  readonly devices: DeviceAuthorizations;
  readonly links: OneTimeLinks;
  readonly signIns: DashboardSignIns;
  readonly browsers: KnownBrowsers;
  readonly signIn: SignIn;
  readonly revokeAll: RevokeAll;
  readonly #options: AccountServicesOptions;

  constructor(options: AccountServicesOptions) {
    const { store, clock, accounts, browserSecret, onRevoked, onAllRevoked, hasher = new PasswordHasher() } = options;
    this.#options = options;
    this.keys = new ApiKeys(store, clock, onRevoked);
    this.tokens = new OAuthTokens({ store, clock, onRevoked });
    this.devices = new DeviceAuthorizations({ store, tokens: this.tokens, clock });
    this.links = new OneTimeLinks(store, clock);
    this.signIns = new DashboardSignIns(store, clock);
    this.browsers = new KnownBrowsers(browserSecret, clock);
    this.revokeAll = new RevokeAll({ store, keys: this.keys, clock, onRevoked: onAllRevoked });
    const { links, signIns, browsers } = this;
    this.signIn = new SignIn({ store, accounts, links, signIns, browsers, hasher, clock });
  }

  /** Authenticates an `Authorization` header with an API key or an access token. Throws `store_unavailable`. */
  authenticate(authorization: string | undefined): Principal | undefined {
    this.#options.store.refuseOld();
    const bearer = bearerOf(authorization);
    if (bearer !== undefined && isSecret('access', bearer)) return this.tokens.authenticate(bearer);
    return this.#options.authenticator.authenticate(authorization);
  }

  describe({ accountId, keyId, kind }: Pick<Principal, 'accountId' | 'keyId' | 'kind'>): Account {
    const { store } = this.#options;
    const account = store.accounts.byId(accountId);
    if (!account) throw new Error(`Account ${accountId} has gone`);
    const { id, organizationId, name, createdAtMs } = account;
    const email = store.passwords.byAccount(accountId)?.email;
    return {
      id,
      organizationId,
      name,
      ...(email === undefined ? {} : { email }),
      createdAt: isoTimestamp(createdAtMs),
      credential: { kind: kind ?? 'key', id: keyId },
    };
  }

  /** The name of an actor for people: of the key, of the program, or the e-mail address or name of the account. */
  nameOf({ accountId, keyId, kind }: Pick<Principal, 'accountId' | 'keyId' | 'kind'>): string | undefined {
    const { store } = this.#options;
    if (kind === undefined) return store.keys.byId(keyId)?.name;
    if (kind === 'token') return this.tokens.nameOf(keyId);
    return store.passwords.byAccount(accountId)?.email ?? store.accounts.byId(accountId)?.name;
  }

  usage({ accountId }: Pick<Principal, 'accountId'>, dayCount: number) {
    return usageOf(this.#options.store.usage, this.#options.clock, accountId, dayCount);
  }
}

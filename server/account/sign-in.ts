import type { AcceptInvitation, Invitation, SetPassword } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/stamp.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';
import { digestOf } from './api-key.ts';
import { AttemptLimits, type AttemptRule } from './attempt-limits.ts';
import type { Principal } from './authenticator.ts';
import type { DashboardSignIns, OpenedSignIn } from './dashboard-sign-ins.ts';
import type { OneTimeLinks } from './one-time-links.ts';
import type { PasswordHasher } from './password-hash.ts';

const HOUR_MS = 3_600_000;
/** Five slips are human; the tenth failure in a row already waits a minute. */
export const ACCOUNT_RULE: AttemptRule = {
  free: 5,
  firstDelayMs: 2_000,
  delayMsMax: 900_000,
  forgottenAfterMs: HOUR_MS,
};
/** Many people may share an address. */
export const ADDRESS_RULE: AttemptRule = {
  free: 30,
  firstDelayMs: 1_000,
  delayMsMax: 900_000,
  forgottenAfterMs: HOUR_MS,
};

export interface SignInOptions {
  readonly store: Pick<Store, 'passwords' | 'atomically'>;
  readonly accounts: Pick<Accounts, 'createFor'>;
  readonly links: Pick<OneTimeLinks, 'read' | 'take'>;
  readonly signIns: Pick<DashboardSignIns, 'open' | 'endOthers'>;
  readonly hasher: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
}

/** Ways into the dashboard. Whether an address has an account is told by no answer, and by no time that one takes. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #ofAccount: AttemptLimits;
  readonly #ofAddress: AttemptLimits;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#ofAccount = new AttemptLimits(ACCOUNT_RULE, options.clock);
    this.#ofAddress = new AttemptLimits(ADDRESS_RULE, options.clock);
  }

  /** Rejects with `sign_in_failed`, or with `rate_limited` after too many failures of the account or the address. */
  async byPassword(email: string, password: string, address: string): Promise<OpenedSignIn> {
    const accountId = await this.#attempt(digestOf(email.toLowerCase()), address, async () => {
      const known = this.#options.store.passwords.byEmail(email);
      const { matches } = await this.#verify(password, known);
      return matches ? known?.accountId : undefined;
    });
    if (accountId === undefined) throw new ServiceError('sign_in_failed');
    return this.#options.signIns.open(accountId);
  }

  /** Throws `sign_in_link_invalid`, or `rate_limited` after too many failures of the address. */
  byLink(token: string, address: string): OpenedSignIn {
    const link = this.#link(address, () => this.#options.links.take(token, 'sign-in'));
    if (link.accountId === undefined) throw new ServiceError('sign_in_link_invalid');
    return this.#options.signIns.open(link.accountId);
  }

  /** Whom an invitation is for; it stays good. Throws like `byLink`. */
  readInvitation(token: string, address: string): Invitation {
    const {
      email = '',
      accountId,
      expiresAtMs,
    } = this.#link(address, () => this.#options.links.read(token, 'invitation'));
    const isNew = accountId === undefined || this.#options.store.passwords.byAccount(accountId) === undefined;
    return { email, expiresAt: isoTimestamp(expiresAtMs), isNew };
  }

  /** Makes the account when it is new, gives it the password, signs in, and ends all earlier sign-ins. */
  async acceptInvitation({ token, password }: AcceptInvitation, address: string): Promise<OpenedSignIn> {
    const { store, accounts, links, signIns, hasher, clock } = this.#options;
    const { email } = this.readInvitation(token, address);
    refuseTelling(password, email);
    const hash = await hasher.hash(password);
    const accountId = store.atomically(() => {
      // Somebody else may have used it while the password was hashed.
      const link = links.take(token, 'invitation');
      if (!link) throw new ServiceError('sign_in_link_invalid');
      const id = link.accountId ?? accounts.createFor(email).id;
      store.passwords.put({ accountId: id, email, hash, changedAtMs: clock.wallMs() });
      return id;
    });
    this.#ofAccount.clear(digestOf(email.toLowerCase()));
    const opened = signIns.open(accountId);
    signIns.endOthers(accountId, opened.id);
    return opened;
  }

  /** Gives the account an address and a password; all its other sign-ins end. The former password is needed, if there is one. */
  async setPassword(who: Principal, request: SetPassword, address: string): Promise<void> {
    const { store, signIns, hasher, clock } = this.#options;
    const { accountId } = who;
    const { email, password, currentPassword } = request;
    refuseTelling(password, email);
    const known = store.passwords.byAccount(accountId);
    if (known) {
      const proved = await this.#attempt(digestOf(known.email.toLowerCase()), address, async () => {
        return (await this.#verify(currentPassword ?? '', known)).matches ? accountId : undefined;
      });
      if (proved === undefined) throw new ServiceError('sign_in_failed', 'The current password is wrong.');
    }
    const hash = await hasher.hash(password);
    store.atomically(() => {
      const owner = store.passwords.byEmail(email)?.accountId;
      if (owner !== undefined && owner !== accountId) {
        throw new ServiceError('invalid_request', '"email" cannot be used for this account.');
      }
      store.passwords.put({ accountId, email, hash, changedAtMs: clock.wallMs() });
    });
    signIns.endOthers(accountId, who.keyId);
  }

  async #verify(password: string, known: { accountId: string; email: string; hash: string } | undefined) {
    const { store, hasher, clock } = this.#options;
    const verdict = await hasher.verify(password, known?.hash);
    if (verdict.matches && verdict.outdated && known) {
      store.passwords.put({ ...known, hash: await hasher.hash(password), changedAtMs: clock.wallMs() });
    }
    return verdict;
  }

  /** Counts before it tries, so that guesses at the same time are as slow as one after the other. */
  async #attempt(
    account: string,
    address: string,
    prove: () => Promise<string | undefined>,
  ): Promise<string | undefined> {
    this.#refuseTooMany(Math.max(this.#ofAccount.waitSeconds(account), this.#ofAddress.waitSeconds(address)));
    this.#ofAccount.count(account);
    this.#ofAddress.count(address);
    try {
      const proved = await prove();
      if (proved !== undefined) {
        this.#ofAccount.clear(account);
        this.#ofAddress.takeBack(address);
      }
      return proved;
    } catch (error) {
      // Nobody's fault but ours: it was no guess.
      this.#ofAccount.takeBack(account);
      this.#ofAddress.takeBack(address);
      throw error;
    }
  }

  #link<T>(address: string, find: () => T | undefined): T {
    this.#refuseTooMany(this.#ofAddress.waitSeconds(address));
    const found = find();
    if (found === undefined) {
      this.#ofAddress.count(address);
      throw new ServiceError('sign_in_link_invalid');
    }
    return found;
  }

  #refuseTooMany(retryAfterSeconds: number): void {
    if (retryAfterSeconds === 0) return;
    const message = `Too many failed attempts; try again in ${retryAfterSeconds} s.`;
    throw new ServiceError('rate_limited', message, { retryAfterSeconds });
  }
}

function refuseTelling(password: string, email: string): void {
  if (password.toLowerCase() !== email.toLowerCase()) return;
  throw new ServiceError('invalid_request', '"password" must not be the e-mail address.');
}

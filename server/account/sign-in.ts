import type { AcceptInvitation, Invitation, SetPassword } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';
import { digestOf } from './api-key.ts';
import { AttemptLimits, type AttemptRule } from './attempt-limits.ts';
import type { Principal } from './authenticator.ts';
import type { DashboardSignIns, OpenedSignIn } from './dashboard-sign-ins.ts';
import { holdLive } from './hold-live.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { OneTimeLinks } from './one-time-links.ts';
import type { Asker, PasswordHasher } from './password-hash.ts';
import { REPEATABLE_MS } from './repeats.ts';

const HOUR_MS = 3_600_000;
/** Per account: five failures are free; the tenth in a row already waits a minute. */
export const ACCOUNT_RULE: AttemptRule = {
  free: 5,
  firstDelayMs: 2_000,
  delayMsMax: 900_000,
  forgottenAfterMs: HOUR_MS,
};
/** Per network address: higher, since many users may share an address. */
export const ADDRESS_RULE: AttemptRule = {
  free: 30,
  firstDelayMs: 1_000,
  delayMsMax: 900_000,
  forgottenAfterMs: HOUR_MS,
};

/** How often an account's known browsers use the queue of known callers; beyond that they use that of unknown callers. */
export const PRECEDENCE_RULE: AttemptRule = {
  free: 6,
  firstDelayMs: 20_000,
  delayMsMax: 20_000,
  forgottenAfterMs: 60_000,
};

/** A sign-in within this time counts as a recent authentication of the user, more than a cookie that may be stolen. */
export const FRESH_SIGN_IN_MS = 1_800_000;

/** The origin of a sign-in. */
export interface Entrance {
  /** Network address, as the key for limits. */
  readonly holder: string;
  /** The mark of a browser that has signed in before. */
  readonly mark?: string | undefined;
  /** The browser's current cookie, which the new sign-in invalidates. */
  readonly former?: string | undefined;
}

/** One count of failures that applies to an attempt. */
interface Gate {
  readonly limits: AttemptLimits;
  readonly holder: string;
  /** Whether a success resets the count, or only subtracts its own attempt. */
  readonly forgives: boolean;
}

/** A password that was right when it was compared; it may have changed since. */
interface Proof {
  readonly accountId: string;
  /** The stored hash, before and after rehashing. */
  readonly hashes: readonly string[];
}

export interface SignInOptions {
  readonly store: Pick<Store, 'passwords' | 'keys' | 'tokens' | 'signIns' | 'atomically' | 'attempt'>;
  readonly accounts: Pick<Accounts, 'createFor'>;
  readonly links: Pick<OneTimeLinks, 'read' | 'take' | 'taken' | 'brought'>;
  readonly signIns: Pick<DashboardSignIns, 'open' | 'end' | 'endUnused' | 'endOthers'>;
  readonly browsers: Pick<KnownBrowsers, 'read'>;
  readonly hasher: Pick<PasswordHasher, 'hash' | 'verify'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
}

/** Sign-in to the dashboard. Neither an answer nor its timing reveals whether an address has an account. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #ofAccount: AttemptLimits;
  readonly #ofAddress: AttemptLimits;
  readonly #ofBrowser: AttemptLimits;
  readonly #ofOwner: AttemptLimits;
  readonly #precedence: AttemptLimits;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#ofAccount = new AttemptLimits(ACCOUNT_RULE, options.clock);
    this.#ofAddress = new AttemptLimits(ADDRESS_RULE, options.clock);
    this.#ofBrowser = new AttemptLimits(ACCOUNT_RULE, options.clock);
    this.#ofOwner = new AttemptLimits(ACCOUNT_RULE, options.clock);
    this.#precedence = new AttemptLimits(PRECEDENCE_RULE, options.clock);
  }

  /**
   * Rejects with `sign_in_failed`, or with `rate_limited` after too many failures of the account or the address. A browser
   * that has signed in to the account before has a count of its own, independent of failures elsewhere.
   */
  async byPassword(email: string, password: string, entrance: Entrance): Promise<OpenedSignIn> {
    const { holder, mark } = entrance;
    const known = this.#options.store.passwords.byEmail(email);
    const browser = this.#options.browsers.read(mark);
    const part = digestOf(email.toLowerCase());
    const isKnown = known !== undefined && browser?.accountId === known.accountId;
    const gates: Gate[] = isKnown
      ? [{ limits: this.#ofBrowser, holder: browser.id, forgives: true }]
      : [
          { limits: this.#ofAccount, holder: part, forgives: true },
          { limits: this.#ofAddress, holder, forgives: false },
        ];
    const asker = isKnown ? this.#owner(known.accountId) : { isKnown: false, source: holder, part };
    const proved = await this.#attempt(gates, () => this.#verify(password, known, asker));
    if (proved === undefined) throw new ServiceError('sign_in_failed');
    return this.#options.store.atomically(() => {
      if (!this.#isStill(proved)) throw new ServiceError('sign_in_failed');
      return this.#open(proved.accountId, entrance);
    });
  }

  /**
   * A prompt repetition replaces the first sign-in if that is unused; see `REPEATABLE_MS`. Throws `sign_in_link_invalid`, or
   * `rate_limited` after too many failures of the address.
   */
  byLink(token: string, entrance: Entrance): OpenedSignIn {
    const { store, links } = this.#options;
    return store.atomically(() => {
      const link = this.#link(entrance.holder, () => links.take(token, 'sign-in') ?? this.#takenInVain(token));
      if (link.accountId === undefined) throw new ServiceError('sign_in_link_invalid');
      const opened = this.#open(link.accountId, entrance);
      links.brought(link, opened.id);
      return opened;
    });
  }

  /** Reads an invitation without consuming it. Throws like `byLink`. */
  readInvitation(token: string, { holder }: Entrance): Invitation {
    const {
      email = '',
      accountId,
      expiresAtMs,
    } = this.#link(holder, () => this.#options.links.read(token, 'invitation'));
    const isNew = accountId === undefined || this.#options.store.passwords.byAccount(accountId) === undefined;
    return { email, expiresAt: isoTimestamp(expiresAtMs), isNew };
  }

  /**
   * Creates the account if it is new, sets its password, signs in and ends all earlier sign-ins. A prompt repetition with the
   * same password signs in again; see `REPEATABLE_MS`.
   */
  async acceptInvitation({ token, password }: AcceptInvitation, entrance: Entrance): Promise<OpenedSignIn> {
    const { store, accounts, links, signIns, hasher, clock } = this.#options;
    const accepted = links.taken(token, 'invitation');
    if (accepted) return this.#acceptedBefore(accepted.email ?? '', password, entrance);
    const { email } = this.readInvitation(token, entrance);
    refuseTelling(password, email);
    const hash = await hasher.hash(password, {
      isKnown: true,
      source: `invitation of ${email.toLowerCase()}`,
      part: '',
    });
    const opened = store.atomically(() => {
      // The link may have been used while the password was hashed.
      const link = links.take(token, 'invitation');
      if (!link) throw new ServiceError('sign_in_link_invalid');
      const id = link.accountId ?? accounts.createFor(email).id;
      store.passwords.put({ accountId: id, email, hash, changedAtMs: clock.wallMs() });
      const signedIn = this.#open(id, entrance);
      signIns.endOthers(id, signedIn.id);
      return signedIn;
    });
    this.#ofAccount.clear(digestOf(email.toLowerCase()));
    return opened;
  }

  /**
   * Sets the account's address and password; all other sign-ins end. Requires the current password or a recent sign-in, so that
   * a stolen key, token or old cookie is not enough to take over the account. Rejects with `fresh_sign_in_required`,
   * `sign_in_failed` for a wrong current password, or `authentication_required` if the caller's credential ends meanwhile.
   */
  async setPassword(who: Principal, request: SetPassword): Promise<void> {
    const { store, signIns, hasher, clock } = this.#options;
    const { accountId } = who;
    const { email, password, currentPassword } = request;
    refuseTelling(password, email);
    const known = store.passwords.byAccount(accountId);
    const proves = known !== undefined && currentPassword !== undefined;
    if (!proves && !this.#isFresh(who)) throw new ServiceError('fresh_sign_in_required');
    const asker = this.#owner(accountId);
    let proved: Proof | undefined;
    if (proves) {
      // Counted separately: callers without a credential of the account cannot lock out its owner here.
      const gate = { limits: this.#ofOwner, holder: accountId, forgives: true };
      // A retry after a lost answer sends the former password as the current one; the new password then proves it.
      const isChanged = this.#options.clock.wallMs() - known.changedAtMs < REPEATABLE_MS;
      const said = isChanged ? [currentPassword, password] : [currentPassword];
      proved = await this.#attempt([gate], async () => {
        for (const one of said) {
          const proof = await this.#verify(one, known, asker);
          if (proof) return proof;
        }
        return undefined;
      });
      if (proved === undefined) throw new ServiceError('sign_in_failed', 'The current password is wrong.');
    }
    const hash = await hasher.hash(password, asker);
    store.atomically(() => {
      holdLive(store, who, clock.wallMs());
      if (proved && !this.#isStill(proved)) {
        throw new ServiceError('sign_in_failed', 'The current password is wrong.');
      }
      const holderId = store.passwords.byEmail(email)?.accountId;
      if (holderId !== undefined && holderId !== accountId) {
        throw new ServiceError('invalid_request', '"email" cannot be used for this account.');
      }
      store.passwords.put({ accountId, email, hash, changedAtMs: clock.wallMs() });
      signIns.endOthers(accountId, who.keyId);
    });
  }

  /** A recently used link whose sign-in was ended unused. */
  #takenInVain(token: string) {
    const { links, signIns } = this.#options;
    const link = links.taken(token, 'sign-in');
    return link?.opened !== undefined && signIns.endUnused(link.opened) ? link : undefined;
  }

  async #acceptedBefore(email: string, password: string, entrance: Entrance): Promise<OpenedSignIn> {
    try {
      return await this.byPassword(email, password, entrance);
    } catch (error) {
      const isOther = error instanceof ServiceError && error.code === 'sign_in_failed';
      throw isOther ? new ServiceError('sign_in_link_invalid') : error;
    }
  }

  /** Call it within the transaction that consumes the proof, so that both happen or neither. */
  #open(accountId: string, { former }: Entrance): OpenedSignIn {
    const { signIns } = this.#options;
    if (former !== undefined) signIns.end(former);
    return signIns.open(accountId);
  }

  #isFresh({ signedInAtMs = Number.NEGATIVE_INFINITY }: Principal): boolean {
    const sinceMs = this.#options.clock.wallMs() - signedInAtMs;
    return sinceMs >= 0 && sinceMs < FRESH_SIGN_IN_MS;
  }

  /** Whether the compared password is still the account's. Call it within the transaction that relies on it. */
  #isStill({ accountId, hashes }: Proof): boolean {
    const stored = this.#options.store.passwords.byAccount(accountId)?.hash;
    return stored !== undefined && hashes.includes(stored);
  }

  /** The queue of a caller that has proved its identity by more than a password. */
  #owner(accountId: string): Asker {
    const isKnown = this.#precedence.waitSeconds(accountId) === 0;
    this.#precedence.count(accountId);
    return { isKnown, source: accountId, part: '' };
  }

  async #verify(
    password: string,
    known: { accountId: string; email: string; hash: string } | undefined,
    asker: Asker,
  ): Promise<Proof | undefined> {
    const { store, hasher, clock } = this.#options;
    const { matches, outdated } = await hasher.verify(password, known?.hash, asker);
    if (!matches || !known) return undefined;
    const compared: Proof = { accountId: known.accountId, hashes: [known.hash] };
    if (!outdated) return compared;
    const hash = await hasher.hash(password, asker);
    // The old hash stays valid; a later sign-in tries again.
    store.attempt(() =>
      store.atomically(() => {
        if (this.#isStill(compared)) store.passwords.put({ ...known, hash, changedAtMs: clock.wallMs() });
      }),
    );
    return { ...compared, hashes: [known.hash, hash] };
  }

  /** Counts an attempt before it runs, so that concurrent guesses are as slow as sequential ones. */
  async #attempt<T>(gates: readonly Gate[], prove: () => Promise<T | undefined>): Promise<T | undefined> {
    this.#refuseTooMany(Math.max(...gates.map(({ limits, holder }) => limits.waitSeconds(holder))));
    for (const { limits, holder } of gates) limits.count(holder);
    try {
      const proved = await prove();
      if (proved === undefined) return undefined;
      for (const { limits, holder, forgives } of gates) {
        if (forgives) limits.clear(holder);
        else limits.cancelTimer(holder);
      }
      return proved;
    } catch (error) {
      // An internal error is not a wrong guess.
      for (const { limits, holder } of gates) limits.cancelTimer(holder);
      throw error;
    }
  }

  #link<T>(holder: string, find: () => T | undefined): T {
    this.#refuseTooMany(this.#ofAddress.waitSeconds(holder));
    const found = find();
    if (found === undefined) {
      this.#ofAddress.count(holder);
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

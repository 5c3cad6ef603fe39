import type { DeviceRequest } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { DeviceAuthorizationRow } from '../store/device-authorization-table.ts';
import type { Store } from '../store/store.ts';
import { digestOf } from './api-key.ts';
import { AttemptLimits, type AttemptRule } from './attempt-limits.ts';
import type { Principal } from './authenticator.ts';
import { type AskingCredential, holdLive } from './hold-live.ts';
import { clientName } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import type { IssuedTokens, OAuthTokens } from './oauth-tokens.ts';
import { isSecret, makeSecret } from './secret-text.ts';
import { makeUserCode, readUserCode, shownUserCode } from './user-code.ts';

export const DEVICE_CODE_LIFE_MS = 600_000;
export const POLL_INTERVAL_MS = 5_000;
/** Added to the interval by `slow_down` (RFC 8628, section 3.5). */
const SLOW_DOWN_MS = 5_000;
/** Tolerance for early polls, since timers are not exact. */
const POLL_SLACK_MS = 500;
/** Maximum number of pending requests of all addresses together; bounds the stored rows. */
export const PENDING_MAX = 1_000;
/** Expired requests are kept for this time, so that the program gets `expired_token`. */
const KEPT_AFTER_MS = 3_600_000;

/** Wrong user codes that are free: 10 guesses hit one of a thousand pending codes once in 2.5 million times. */
export const USER_CODE_RULE: AttemptRule = {
  free: 10,
  firstDelayMs: 10_000,
  delayMsMax: 900_000,
  forgottenAfterMs: 3_600_000,
};
/** Pending requests of one address. */
export const ASKING_RULE: AttemptRule = {
  free: 20,
  firstDelayMs: 10_000,
  delayMsMax: 900_000,
  forgottenAfterMs: 3_600_000,
};

/** The answer to a device authorization request. */
export interface BegunAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly lifeMs: number;
  readonly intervalMs: number;
}

/** The network address of a program. */
export interface Whence {
  /** For display to the user who decides. */
  readonly address: string;
  /** The key for limits: the IPv4 address, or the /64 of an IPv6 address. */
  readonly holder: string;
}

/** The account that decides on a request, and its credential. */
type Decider = Pick<Principal, 'accountId'> & AskingCredential;

export interface DeviceAuthorizationsOptions {
  readonly store: Pick<Store, 'deviceAuthorizations' | 'keys' | 'tokens' | 'signIns' | 'atomically'>;
  readonly tokens: Pick<OAuthTokens, 'grant' | 'again'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
}

/** The device flow (RFC 8628): a program requests access, a user decides in the dashboard, the program polls for tokens. */
export class DeviceAuthorizations {
  readonly #options: DeviceAuthorizationsOptions;
  readonly #typing: AttemptLimits;
  readonly #asking: AttemptLimits;

  constructor(options: DeviceAuthorizationsOptions) {
    this.#options = options;
    this.#typing = new AttemptLimits(USER_CODE_RULE, options.clock);
    this.#asking = new AttemptLimits(ASKING_RULE, options.clock);
  }

  /**
   * Throws `rate_limited` if the address makes too many requests or has too many pending ones. If too many are pending in all,
   * the oldest one of the address with the most is dropped, so that a flooding address displaces only its own.
   */
  begin(clientId: string, deviceName: string | undefined, { address, holder }: Whence): BegunAuthorization {
    const { store } = this.#options;
    refuseWait(this.#asking.waitSeconds(holder), 'Too many programs ask from this address.');
    const nowMs = this.#nowMs();
    const [deviceCode, userCode] = [makeSecret('device'), makeUserCode()];
    store.atomically(() => {
      this.#makeRoom(holder, nowMs);
      store.deviceAuthorizations.insert({
        digest: digestOf(deviceCode),
        userCodeDigest: userCodeDigest(userCode) ?? '',
        clientId,
        ...(deviceName === undefined ? {} : { deviceName }),
        address,
        holder,
        status: 'pending',
        intervalMs: POLL_INTERVAL_MS,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + DEVICE_CODE_LIFE_MS,
      });
    });
    // Counted after the write: a request that is run again because the database was locked counts once.
    this.#asking.count(holder);
    return { deviceCode, userCode, lifeMs: DEVICE_CODE_LIFE_MS, intervalMs: POLL_INTERVAL_MS };
  }

  /**
   * Exchanges a device code for tokens. A repeated call replaces the tokens as long as they are unused and the code has not
   * expired, since the first answer may have been lost. Throws an `OAuthError` (RFC 8628, section 3.5).
   */
  poll(deviceCode: string, clientId: string): IssuedTokens {
    const { store } = this.#options;
    const row = isSecret('device', deviceCode) ? store.deviceAuthorizations.byCode(digestOf(deviceCode)) : undefined;
    if (row?.clientId !== clientId) throw new OAuthError('invalid_grant', 'The device code is unknown or was used.');
    if (row.expiresAtMs <= this.#nowMs()) throw new OAuthError('expired_token', 'The device code has expired.');
    // An approved program stops polling, so only its tokens are written; a failed poll can be repeated.
    if (row.status !== 'approved' || this.#isEarly(row)) this.#keepPace(row);
    switch (row.status) {
      case 'pending':
        throw new OAuthError('authorization_pending', 'Nobody has decided yet.');
      case 'denied':
        throw new OAuthError('access_denied', 'The request was denied.');
      case 'approved': {
        const issued = store.atomically(() => this.#exchange(row));
        if (!issued) throw new OAuthError('invalid_grant', 'The device code is unknown or was used.');
        if (row.grantId === undefined) this.#asking.cancelTimer(row.holder);
        return issued;
      }
    }
  }

  /** The request with this code. Throws `device_request_not_found`, or `rate_limited` after too many wrong codes. */
  read(who: Decider, typedCode: string): DeviceRequest {
    const { row, letters } = this.#readable(who, typedCode);
    return {
      userCode: shownUserCode(letters),
      client: clientName(row.clientId),
      ...(row.deviceName === undefined ? {} : { deviceName: row.deviceName }),
      address: row.address,
      createdAt: isoTimestamp(row.createdAtMs),
      expiresAt: isoTimestamp(row.expiresAtMs),
    };
  }

  /** Approves or denies the request for the caller's account; the first decision stands. Idempotent. Throws like `read`. */
  decide(who: Decider, typedCode: string, approved: boolean): string {
    const { accountId, keyId } = who;
    const status = approved ? 'approved' : 'denied';
    const isMadeBefore = (row: DeviceAuthorizationRow) =>
      row.status === status && keyId !== undefined && row.decidedBy === keyId;
    const { row, letters } = this.#readable(who, typedCode, isMadeBefore);
    if (row.status !== 'pending') return shownUserCode(letters);
    const { store } = this.#options;
    store.atomically(() => {
      holdLive(store, who, this.#nowMs());
      if (!store.deviceAuthorizations.decide(row.userCodeDigest, approved ? accountId : undefined, keyId)) {
        throw new ServiceError('device_request_not_found');
      }
    });
    return shownUserCode(letters);
  }

  #makeRoom(holder: string, nowMs: number): void {
    const { deviceAuthorizations } = this.#options.store;
    deviceAuthorizations.forgetExpired(nowMs - KEPT_AFTER_MS);
    const { count, firstEndMs } = deviceAuthorizations.undecided(holder, nowMs);
    if (count >= LIMITS.deviceRequestsPerAddress) {
      refuseWait(Math.ceil((firstEndMs - nowMs) / 1_000), 'Too many sign-in requests of this address are pending.');
    }
    if (deviceAuthorizations.count(nowMs) >= PENDING_MAX && !deviceAuthorizations.evict(nowMs)) {
      refuseWait(60, 'Too many sign-in requests are pending.');
    }
  }

  #exchange(row: DeviceAuthorizationRow): IssuedTokens | undefined {
    const { store, tokens } = this.#options;
    const { digest, accountId, clientId, deviceName, grantId, decidedBy: mintedBy } = row;
    if (grantId !== undefined) return tokens.again(grantId, digest);
    if (accountId === undefined) return undefined;
    const issued = tokens.grant(accountId, clientId, deviceName, { madeWith: digest, mintedBy });
    return store.deviceAuthorizations.exchange(digest, issued.grantId) ? issued : undefined;
  }

  /** A request that is undecided, or that `orElse` accepts. */
  #readable({ accountId }: Decider, typedCode: string, orElse: (row: DeviceAuthorizationRow) => boolean = () => false) {
    refuseWait(this.#typing.waitSeconds(accountId), 'Too many wrong codes.');
    const letters = readUserCode(typedCode);
    const digest = userCodeDigest(typedCode);
    const row = digest === undefined ? undefined : this.#options.store.deviceAuthorizations.byUserCode(digest);
    const isReadable = row !== undefined && (row.status === 'pending' || orElse(row));
    if (letters === undefined || !isReadable || row.expiresAtMs <= this.#nowMs()) {
      this.#typing.count(accountId);
      throw new ServiceError('device_request_not_found');
    }
    // A right code does not reset the count: anybody can get a valid code with a request.
    return { row, letters };
  }

  #keepPace(row: DeviceAuthorizationRow): void {
    const isEarly = this.#isEarly(row);
    const nextMs = isEarly ? row.intervalMs + SLOW_DOWN_MS : row.intervalMs;
    this.#options.store.deviceAuthorizations.polled(row.digest, this.#nowMs(), nextMs);
    if (isEarly) throw new OAuthError('slow_down', `Poll every ${nextMs / 1_000} seconds at most.`);
  }

  #isEarly({ polledAtMs, intervalMs }: DeviceAuthorizationRow): boolean {
    const sinceMs = this.#nowMs() - (polledAtMs ?? Number.NEGATIVE_INFINITY);
    // If the clock was set back, the pace is unknown.
    return sinceMs >= 0 && sinceMs < intervalMs - POLL_SLACK_MS;
  }

  #nowMs(): number {
    return Math.floor(this.#options.clock.wallMs());
  }
}

function userCodeDigest(code: string): string | undefined {
  const letters = readUserCode(code);
  return letters === undefined ? undefined : digestOf(`user code ${letters}`);
}

function refuseWait(retryAfterSeconds: number, message: string): void {
  if (retryAfterSeconds > 0) throw new ServiceError('rate_limited', message, { retryAfterSeconds });
}

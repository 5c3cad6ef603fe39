import type { DeviceRequest } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { DeviceAuthorizationRow } from '../store/device-authorization-table.ts';
import type { Store } from '../store/store.ts';
import { digestOf } from './api-key.ts';
import { AttemptLimits, type AttemptRule } from './attempt-limits.ts';
import type { Principal } from './authenticator.ts';
import { clientName } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import type { IssuedTokens, OAuthTokens } from './oauth-tokens.ts';
import { isSecret, makeSecret } from './secret-text.ts';
import { makeUserCode, readUserCode, shownUserCode } from './user-code.ts';

export const DEVICE_CODE_LIFE_MS = 600_000;
export const POLL_INTERVAL_MS = 5_000;
/** What `slow_down` adds to the interval (RFC 8628, section 3.5). */
const SLOW_DOWN_MS = 5_000;
/** Timers are not exact: a poll that is early by this is on time. */
const POLL_SLACK_MS = 500;
/** Programs that wait at the same time, wherever they ask from: what is kept of them is bounded. */
export const PENDING_MAX = 1_000;
/** Expired ones stay known for this long, so that the program is told why. */
const KEPT_AFTER_MS = 3_600_000;

/** Codes that a person may mistype; 10 guesses find one of a thousand waiting programs once in 2.5 million times. */
export const USER_CODE_RULE: AttemptRule = {
  free: 10,
  firstDelayMs: 10_000,
  delayMsMax: 900_000,
  forgottenAfterMs: 3_600_000,
};
/** Requests of one address that nobody decided on. */
export const ASKING_RULE: AttemptRule = {
  free: 20,
  firstDelayMs: 10_000,
  delayMsMax: 900_000,
  forgottenAfterMs: 3_600_000,
};

/** What a program gets when it asks to be let in. */
export interface BegunAuthorization {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly lifeMs: number;
  readonly intervalMs: number;
}

/** Where a program asks from. */
export interface Whence {
  /** As the person who decides is shown it. */
  readonly address: string;
  /** As it is counted: the address, or the network that one subscriber has. */
  readonly holder: string;
}

/** Who looks at a request and decides on it, and with which credential. */
type Decider = Pick<Principal, 'accountId'> & Partial<Pick<Principal, 'keyId'>>;

export interface DeviceAuthorizationsOptions {
  readonly store: Pick<Store, 'deviceAuthorizations' | 'atomically'>;
  readonly tokens: Pick<OAuthTokens, 'grant' | 'again'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'wallMs'>;
}

/** The device flow (RFC 8628): a program asks, a person decides in the dashboard, the program polls for its tokens. */
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
   * Throws `rate_limited` when the address asks too often, or has as many programs waiting as it may. Where too many wait in
   * all, the oldest of the address with most of them has to ask again: one that fills the room makes room.
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
    // Once it is written: what finds the database locked is run again, and is one request.
    this.#asking.count(holder);
    return { deviceCode, userCode, lifeMs: DEVICE_CODE_LIFE_MS, intervalMs: POLL_INTERVAL_MS };
  }

  /**
   * The tokens, once; or others for those, as long as nobody has used them and the code has not expired: their answer may
   * have been lost. Throws an `OAuthError` that says why there are none (RFC 8628, section 3.5).
   */
  poll(deviceCode: string, clientId: string): IssuedTokens {
    const { store } = this.#options;
    const row = isSecret('device', deviceCode) ? store.deviceAuthorizations.byCode(digestOf(deviceCode)) : undefined;
    if (row?.clientId !== clientId) throw new OAuthError('invalid_grant', 'The device code is unknown or was used.');
    if (row.expiresAtMs <= this.#nowMs()) throw new OAuthError('expired_token', 'The device code has expired.');
    // One that is let in comes no more: its tokens are all that is written, so that a poll can be made again that failed.
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

  /** What asks with this code. Throws `device_request_not_found`, or `rate_limited` after too many wrong codes. */
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

  /** Lets the program in as the caller, or not; the first decision stands. Repeated: the same. Throws like `read`. */
  decide(who: Decider, typedCode: string, approved: boolean): string {
    const { accountId, keyId } = who;
    const status = approved ? 'approved' : 'denied';
    const isMadeBefore = (row: DeviceAuthorizationRow) =>
      row.status === status && keyId !== undefined && row.decidedBy === keyId;
    const { row, letters } = this.#readable(who, typedCode, isMadeBefore);
    if (row.status !== 'pending') return shownUserCode(letters);
    const { deviceAuthorizations } = this.#options.store;
    if (!deviceAuthorizations.decide(row.userCodeDigest, approved ? accountId : undefined, keyId)) {
      throw new ServiceError('device_request_not_found');
    }
    return shownUserCode(letters);
  }

  #makeRoom(holder: string, nowMs: number): void {
    const { deviceAuthorizations } = this.#options.store;
    deviceAuthorizations.forgetExpired(nowMs - KEPT_AFTER_MS);
    const { count, firstEndMs } = deviceAuthorizations.undecided(holder, nowMs);
    if (count >= LIMITS.deviceRequestsPerAddress) {
      refuseWait(Math.ceil((firstEndMs - nowMs) / 1_000), 'Too many programs of this address wait to be let in.');
    }
    if (deviceAuthorizations.count(nowMs) >= PENDING_MAX && !deviceAuthorizations.evict(nowMs)) {
      refuseWait(60, 'Too many programs wait to be let in.');
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

  /** One that nobody has decided on, or that `orElse` holds for. */
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
    // A right code clears nothing: anybody can have one, by asking for it.
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
    // A clock that was set back says nothing of the pace.
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

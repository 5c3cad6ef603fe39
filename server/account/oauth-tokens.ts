import type { TokenRecord } from '@runcloud/protocol';
import { newId, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { Store } from '../store/store.ts';
import type { GrantRow, HeldToken } from '../store/token-table.ts';
import { digestOf } from './api-key.ts';
import type { Principal } from './authenticator.ts';
import { clientName } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import { REPEATABLE_MS } from './repeats.ts';
import { isSecret, makeSecret } from './secret-text.ts';

export const ACCESS_LIFE_MS = 3_600_000;
/** Lifetime of a refresh token: a program unused for a month must sign in again. */
export const REFRESH_LIFE_MS = 30 * 86_400_000;
/** Times of last use are written at most this often for each grant. */
const LAST_USE_WRITE_MS = 60_000;

/** New tokens; only their digests are stored. */
export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly accessLifeMs: number;
  readonly grantId: string;
}

/** The origin of a grant. */
interface Origin {
  readonly madeWith?: string | undefined;
  readonly mintedBy?: string | undefined;
}

export interface OAuthTokensOptions {
  readonly store: Pick<Store, 'tokens' | 'atomically' | 'attempt'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Called once for each revoked grant, so that its sockets are closed. */
  readonly onRevoked: (grantId: string) => void;
}

/**
 * Access and refresh tokens of signed-in programs. A refresh token can be used once and returns the next one (rotation). If it
 * is repeated soon and its successor is unused, it returns another one, since the answer may have been lost; see
 * `REPEATABLE_MS`. Any other reuse means that a token was stolen: the grant is revoked (RFC 9700, section 4.14.2).
 */
export class OAuthTokens {
  readonly #options: OAuthTokensOptions;

  constructor(options: OAuthTokensOptions) {
    this.#options = options;
  }

  /**
   * Creates a grant and its first tokens.
   * @param origin.madeWith digest of the exchanged device code, for `again`
   * @param origin.mintedBy the credential that approved the program
   */
  grant(accountId: string, clientId: string, deviceName: string | undefined, origin: Origin = {}): IssuedTokens {
    const { store } = this.#options;
    const nowMs = this.#nowMs();
    const grant: GrantRow = {
      id: newId('tok'),
      accountId,
      clientId,
      ...(deviceName === undefined ? {} : { deviceName }),
      ...(origin.mintedBy === undefined ? {} : { mintedBy: origin.mintedBy }),
      createdAtMs: nowMs,
      expiresAtMs: nowMs + REFRESH_LIFE_MS,
    };
    return store.atomically(() => {
      store.tokens.insertGrant(grant);
      return this.#issue(grant.id, nowMs, origin.madeWith);
    });
  }

  /** Replaces the tokens created with `madeWith`; `undefined` if one was used or the grant has ended. */
  again(grantId: string, madeWith: string): IssuedTokens | undefined {
    const { store } = this.#options;
    const nowMs = this.#nowMs();
    return store.atomically(() => {
      const mayAgain = store.tokens.holdLive(grantId) && store.tokens.voidUnused(madeWith, nowMs);
      return mayAgain ? this.#issue(grantId, nowMs, madeWith) : undefined;
    });
  }

  /** Throws an `OAuthError`: `invalid_grant` for a token that is unknown, expired, revoked, reused or of another client. */
  refresh(refreshToken: string, clientId: string): IssuedTokens {
    const { store } = this.#options;
    const nowMs = this.#nowMs();
    const issued = store.atomically(() => {
      const held = this.#held(refreshToken, 'refresh');
      const isLive = held?.revokedAtMs === undefined && held?.clientId === clientId;
      if (!held || !isLive) return undefined;
      if (held.usedAtMs !== undefined) {
        const sinceMs = nowMs - held.usedAtMs;
        const isSoon = sinceMs >= 0 && sinceMs < REPEATABLE_MS;
        return (isSoon ? this.again(held.grantId, held.digest) : undefined) ?? held;
      }
      if (held.expiresAtMs <= nowMs) return undefined;
      store.tokens.use(held.digest, nowMs);
      store.tokens.renew(held.grantId, nowMs + REFRESH_LIFE_MS, nowMs);
      return this.#issue(held.grantId, nowMs, held.digest);
    });
    if (issued !== undefined && 'accessToken' in issued) return issued;
    // Thrown outside of the transaction, so that the revocation is not rolled back.
    if (issued !== undefined) this.#end(issued);
    throw new OAuthError('invalid_grant', 'The refresh token is not valid any more; sign in again.');
  }

  /** Authenticates an access token; `undefined` if it is unknown, expired or revoked. */
  authenticate(accessToken: string): Principal | undefined {
    const held = this.#held(accessToken, 'access');
    const nowMs = this.#nowMs();
    if (!held || held.revokedAtMs !== undefined || held.expiresAtMs <= nowMs) return undefined;
    const { grantId, accountId, organizationId, accountName, expiresAtMs } = held;
    this.#noteUse(held, nowMs);
    return { accountId, organizationId, accountName, keyId: grantId, kind: 'token', expiresAtMs };
  }

  /** Revokes the grant of an access or refresh token (RFC 7009). An invalid token changes nothing. */
  giveBack(token: string): void {
    const held = this.#held(token, 'refresh') ?? this.#held(token, 'access');
    if (held) this.#end(held);
  }

  /** The account's valid grants, newest first. */
  /** The machine's name that a program gave when it signed in, or the program's; `undefined` if the grant is unknown. */
  nameOf(grantId: string): string | undefined {
    const grant = this.#options.store.tokens.names(grantId);
    return grant && (grant.deviceName ?? clientName(grant.clientId));
  }

  list({ accountId }: Pick<Principal, 'accountId'>, span: Span): Page<TokenRecord> {
    return mapPage(this.#options.store.tokens.list(accountId, this.#nowMs(), span), toRecord);
  }

  /** Idempotent. Throws `token_not_found` for a grant that the account never had. */
  revoke({ accountId }: Pick<Principal, 'accountId'>, grantId: string): void {
    const { store, onRevoked } = this.#options;
    const outcome = store.tokens.revoke(accountId, grantId, this.#nowMs());
    if (outcome === 'unknown') throw new ServiceError('token_not_found');
    if (outcome === 'revoked') onRevoked(grantId);
  }

  /** Stores the time of use. A failed write does not fail the request; a later use writes it. */
  #noteUse({ digest, grantId, usedAtMs, lastUsedAtMs = 0 }: HeldToken, nowMs: number): void {
    const { store } = this.#options;
    if (usedAtMs === undefined) store.attempt(() => store.tokens.use(digest, nowMs));
    if (nowMs - lastUsedAtMs >= LAST_USE_WRITE_MS) store.attempt(() => store.tokens.markUsed(grantId, nowMs));
  }

  #end({ accountId, grantId }: HeldToken): void {
    this.revoke({ accountId }, grantId);
  }

  #held(token: string, kind: 'access' | 'refresh'): HeldToken | undefined {
    return isSecret(kind, token) ? this.#options.store.tokens.find(digestOf(token), kind) : undefined;
  }

  #issue(grantId: string, nowMs: number, madeWith?: string): IssuedTokens {
    const { tokens } = this.#options.store;
    const [accessToken, refreshToken] = [makeSecret('access'), makeSecret('refresh')];
    const made = { grantId, ...(madeWith === undefined ? {} : { madeWith }) };
    tokens.insert({ ...made, digest: digestOf(accessToken), kind: 'access', expiresAtMs: nowMs + ACCESS_LIFE_MS });
    tokens.insert({ ...made, digest: digestOf(refreshToken), kind: 'refresh', expiresAtMs: nowMs + REFRESH_LIFE_MS });
    return { accessToken, refreshToken, accessLifeMs: ACCESS_LIFE_MS, grantId };
  }

  #nowMs(): number {
    return Math.floor(this.#options.clock.wallMs());
  }
}

function toRecord({ id, clientId, deviceName, createdAtMs, expiresAtMs, lastUsedAtMs }: GrantRow): TokenRecord {
  return {
    id,
    client: clientName(clientId),
    ...(deviceName === undefined ? {} : { deviceName }),
    createdAt: isoTimestamp(createdAtMs),
    expiresAt: isoTimestamp(expiresAtMs),
    ...(lastUsedAtMs === undefined ? {} : { lastUsedAt: isoTimestamp(lastUsedAtMs) }),
  };
}

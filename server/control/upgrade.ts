import {
  CLOSE,
  type CloseReason,
  CONTROL_SUBPROTOCOL,
  type HistoryOrigin,
  type Platform,
  type Role,
  ServiceError,
} from '@runcloud/protocol';
import type { Principal } from '../account/authenticator.ts';
import type { Holder, RateLimiter } from '../account/rate-limiters.ts';
import type { ViewerClaims } from '../account/viewer-tokens.ts';
import type { Clock } from '../flow/clock.ts';
import type { Bearer } from '../flow/quota.ts';
import { timestampNow } from '../flow/timestamp.ts';
import { refuseUnauthenticated } from '../rest/authenticate.ts';
import { openingRefused } from '../rest/refusal.ts';
import { match } from '../rest/router.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { type SocketHolder, SocketHolders } from './socket-holder.ts';

/** The identity, role and expiry of a socket. */
export interface Credential {
  readonly role: Role;
  readonly accountId: string;
  /** Id of the key, or of the grant of an access token; absent for a viewer token. */
  readonly keyId?: string;
  /** What kind of key it is; an API key if absent. */
  readonly kind?: Principal['kind'];
  /** Id of the viewer link of the token. */
  readonly linkId?: string;
  /** The embedding page's origin in the token. */
  readonly embedOrigin?: string;
  /** The key's, program's or browser's identity; absent for a viewer token in a browser where the account is not signed in. */
  readonly principal?: Principal;
  /** Milliseconds since the epoch; absent for a key without an expiry. */
  readonly expiresAtMs?: number;
  /** Whose quotas in the session its sockets, streams, screenshots and interactions are counted in. */
  readonly bearer: Bearer;
  /** Whose turns and memory it takes: the account, or its guests, which have viewer links or only watch. */
  readonly party: string;
  readonly messageAllowance: RateLimiter | undefined;
  readonly holder: SocketHolder;
}

/** The caller, as the session's history names it. */
export function originOf({ keyId, kind, linkId }: Credential): HistoryOrigin {
  if (keyId !== undefined) return { kind: kind ?? 'key', id: keyId, transport: 'socket' };
  return linkId === undefined
    ? { kind: 'session', transport: 'socket' }
    : { kind: 'link', id: linkId, transport: 'socket' };
}

export interface UpgradeOptions {
  readonly clock: Clock;
  readonly registry: SessionRegistry;
  readonly authenticate: (head: HttpHead) => Principal | undefined;
  /** What tells callers with keys apart before they are authenticated; on a host, which is told no key, who asks. */
  readonly bearerOf: (head: HttpHead) => string | undefined;
  /** `undefined` for an invalid token, and for one whose link is revoked. */
  readonly verifyToken: (token: string) => ViewerClaims | undefined;
  /** Who is signed in in the browser, of a request that a page of this service sends. */
  readonly visitorOf: (head: HttpHead) => Principal | undefined;
  /** Origin of the server's own pages. */
  readonly ownOrigin: () => string;
  readonly rateLimiter: (holder: Holder) => RateLimiter | undefined;
  /** The rate limit of unauthenticated calls per network. */
  readonly keylessAllowance: (network: string) => RateLimiter | undefined;
}

export type Admission =
  | { readonly admitted: true; readonly session: LiveSession; readonly credential: Credential }
  | { readonly admitted: false; readonly reply: HttpReply };

/** Authenticates and authorizes the opening of a control socket, before the upgrade (protocol/README.md, "Opening"). */
export class UpgradeGate {
  readonly #options: UpgradeOptions;
  readonly #recentRefusals: RecentRefusals;
  readonly #holders: SocketHolders;

  constructor(options: UpgradeOptions) {
    this.#options = options;
    this.#recentRefusals = new RecentRefusals(options.clock, options.bearerOf);
    this.#holders = new SocketHolders(options.clock);
  }

  /**
   * @param replaces whether the socket will take the place of another, so that it needs no room of its own; may throw a
   *   `ServiceError`, too
   */
  admit(head: HttpHead, replaces: (session: LiveSession, credential: Credential) => boolean = () => false): Admission {
    const { clock, registry } = this.#options;
    const again = this.#recentRefusals.of(head);
    if (again) return { admitted: false, reply: again };
    const received = timestampNow(clock);
    const found = match('GET', head.path);
    const { platform, sessionId } = found.kind === 'route' ? found.params : {};
    /** A refusal of whoever tries again, whatever else the request says. */
    let lasting: unknown;
    const checkLasting = (check: () => void) => {
      try {
        check();
      } catch (error) {
        lasting = error;
        throw error;
      }
    };
    try {
      const credential = this.#credential(head, sessionId);
      checkLasting(() => credential.holder.open());
      if (platform === undefined || sessionId === undefined) throw new ServiceError('not_found');
      const session = registry.active(credential, platform as Platform, sessionId);
      // The token is checked before the origin: an unauthenticated caller learns nothing about a session's origins.
      if (credential.keyId === undefined) this.#checkOrigin(head.header('origin'), session, credential);
      checkHandshake(head);
      if (!replaces(session, credential)) checkLasting(() => session.socketQuota.check(credential.bearer));
      return { admitted: true, session, credential };
    } catch (error) {
      const reply = openingRefused(head, error, clock, received);
      if (error === lasting) this.#recentRefusals.refused(head, reply);
      return { admitted: false, reply };
    }
  }

  /** Why a socket that was admitted is closed all the same; `undefined` if all that can have changed since then is as it was. */
  reasonToClose(head: HttpHead, session: LiveSession, credential: Credential): CloseReason | undefined {
    const { id, platform } = session.facts;
    const isRefused = (check: () => unknown) => {
      try {
        check();
        return false;
      } catch {
        return true;
      }
    };
    if (isRefused(() => this.#credential(head, id))) return CLOSE.revoked;
    return isRefused(() => this.#options.registry.active(credential, platform, id)) ? CLOSE.ended : undefined;
  }

  #credential(head: HttpHead, sessionId: string | undefined): Credential {
    const { authenticate, verifyToken, rateLimiter, keylessAllowance } = this.#options;
    const query = new URLSearchParams(head.query);
    const token = query.get('token');
    if (token !== null) {
      const claims = verifyToken(token);
      // A viewer token is valid only for its own session.
      if (claims?.sessionId !== sessionId || claims === undefined)
        return refuseUnauthenticated(keylessAllowance(head.network));
      const { sessionId: _one, ...granted } = claims;
      const { accountId: account, linkId } = claims;
      // Who may control may also only watch: such a socket does not keep the session from its inactivity timeout.
      const role = query.get('role') === 'view' ? 'view' : claims.role;
      // Links are shared with others: each has its own rate limit, and what they send is not the account's.
      const bearer: Bearer =
        linkId === undefined ? { name: claims.sessionId, kind: 'session link' } : { name: linkId, kind: 'viewer link' };
      const isGuest = bearer.kind === 'viewer link' || role === 'view';
      const party = isGuest ? `guests of ${account}` : account;
      const holder = `${bearer.kind} ${bearer.name} ${role}`;
      const messageAllowance = rateLimiter({ holder, account, guest: isGuest });
      const visitor = role === 'control' ? this.#visitor(head, account) : {};
      return {
        ...granted,
        ...visitor,
        role,
        bearer,
        party,
        messageAllowance,
        holder: this.#holders.of(holder, 'link'),
      };
    }
    const principal = authenticate(head);
    if (!principal) return refuseUnauthenticated(keylessAllowance(head.network));
    const { accountId, keyId, kind, expiresAtMs } = principal;
    const mortal = { ...(kind && { kind }), ...(expiresAtMs !== undefined && { expiresAtMs }) };
    return {
      role: 'control',
      accountId,
      keyId,
      principal,
      ...mortal,
      bearer: { name: keyId, kind: 'key' },
      party: accountId,
      messageAllowance: rateLimiter({ holder: keyId, account: accountId }),
      holder: this.#holders.of(keyId, 'key'),
    };
  }

  /** The owner who looks at a viewer page of this service in a browser that is signed in. */
  #visitor(head: HttpHead, accountId: string): { readonly principal?: Principal } {
    const principal = this.#options.visitorOf(head);
    return principal?.accountId === accountId ? { principal } : {};
  }

  #checkOrigin(origin: string | undefined, session: LiveSession, { embedOrigin }: Credential): void {
    const allowed = [this.#options.ownOrigin(), ...session.facts.embedOrigins, embedOrigin];
    if (origin === undefined || !allowed.includes(origin)) throw new ServiceError('origin_not_allowed');
  }
}

/** 16 bytes in base64. */
const HANDSHAKE_KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** The checks of RFC 6455, section 4.2.1, that the socket library does not make. */
function checkHandshake(head: HttpHead): void {
  const has = (name: 'upgrade' | 'connection' | 'sec-websocket-protocol', wanted: string) =>
    (head.header(name) ?? '').split(',').some((item) => item.trim().toLowerCase() === wanted);
  if (!has('upgrade', 'websocket') || !has('connection', 'upgrade')) throw new ServiceError('upgrade_required');
  if (!HANDSHAKE_KEY.test(head.header('sec-websocket-key') ?? '')) throw new ServiceError('upgrade_required');
  if (head.header('sec-websocket-version') !== '13' || !has('sec-websocket-protocol', CONTROL_SUBPROTOCOL)) {
    throw new ServiceError('upgrade_required');
  }
}

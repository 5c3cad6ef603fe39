import type { CreatedViewerLink, ViewerLink, ViewerLinkRequest } from '@runcloud/protocol';
import { LIMITS, newId, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { mapPage, type Page, type Span } from '../flow/page.ts';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { ViewerLinkRow, ViewerLinkTable } from '../store/viewer-link-table.ts';
import type { ViewerClaims, ViewerTokens } from './viewer-tokens.ts';

/** The session of a link. The caller has checked that it is active and belongs to the account. */
export interface LinkedSession {
  readonly id: string;
  readonly accountId: string;
  /** The session's hard end, in milliseconds since the epoch. */
  readonly hardEndMs: number;
}

export interface ViewerLinksOptions {
  readonly store: Pick<ViewerLinkTable, 'insert' | 'live' | 'revoke' | 'isUnrevoked'>;
  readonly tokens: Pick<ViewerTokens, 'sign' | 'verify'>;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** The address of a session's viewer page with `token`. */
  readonly viewerUrl: (sessionId: string, token: string) => string;
  /** Called once for each revocation, after it is stored, so that the link's sockets are closed. */
  readonly onRevoked: (linkId: string) => void;
}

/** Viewer links, which let others see or control one session until they expire or are revoked. */
export class ViewerLinks {
  readonly #options: ViewerLinksOptions;

  constructor(options: ViewerLinksOptions) {
    this.#options = options;
  }

  /** Throws `rate_limited` if the session has the maximum number of valid links. */
  create(session: LinkedSession, { role, ttlMs, embedOrigin }: ViewerLinkRequest): CreatedViewerLink {
    const { store, tokens, clock, viewerUrl } = this.#options;
    const { id: sessionId, accountId, hardEndMs } = session;
    const nowMs = Math.floor(clock.wallMs());
    const expiresAtMs = Math.min(nowMs + ttlMs, hardEndMs);
    // A session whose end is due stays active for a moment, but gets no new links.
    if (expiresAtMs <= nowMs) throw new ServiceError('active_session_not_found');
    this.#refuseTooMany(store.live(sessionId, nowMs, { limit: LIMITS.viewerLinksPerSession }).items, nowMs);
    const origin = embedOrigin === undefined ? {} : { embedOrigin };
    const row: ViewerLinkRow = { id: newId('lnk'), sessionId, role, ...origin, createdAtMs: nowMs, expiresAtMs };
    const token = tokens.sign({ sessionId, accountId, role, expiresAtMs, linkId: row.id, ...origin });
    store.insert(row);
    return { ...toViewerLink(row), url: viewerUrl(sessionId, token) };
  }

  /** The links that are neither revoked nor expired, newest first. */
  list({ id }: Pick<LinkedSession, 'id'>, span: Span): Page<ViewerLink> {
    const { store, clock } = this.#options;
    return mapPage(store.live(id, Math.floor(clock.wallMs()), span), toViewerLink);
  }

  /** Idempotent. Throws `viewer_link_not_found` for a link that the session never had. */
  revoke({ id: sessionId }: Pick<LinkedSession, 'id'>, linkId: string): void {
    const { store, clock, onRevoked } = this.#options;
    const outcome = store.revoke(sessionId, linkId, Math.floor(clock.wallMs()));
    if (outcome === 'unknown') throw new ServiceError('viewer_link_not_found');
    if (outcome === 'revoked') onRevoked(linkId);
  }

  /** The claims of a viewer token; `undefined` if it is invalid or expired, or its link is revoked. */
  verify(token: string): ViewerClaims | undefined {
    const { store, tokens } = this.#options;
    const claims = tokens.verify(token);
    // The token of a session's own address has no link: it is valid as long as the session.
    if (claims?.linkId === undefined) return claims;
    return store.isUnrevoked(claims.sessionId, claims.linkId) ? claims : undefined;
  }

  #refuseTooMany(live: readonly ViewerLinkRow[], nowMs: number): void {
    if (live.length < LIMITS.viewerLinksPerSession) return;
    const firstEndMs = Math.min(...live.map(({ expiresAtMs }) => expiresAtMs));
    const message = `The session has ${LIMITS.viewerLinksPerSession} valid viewer links; revoke one of them.`;
    throw new ServiceError('rate_limited', message, { retryAfterSeconds: Math.ceil((firstEndMs - nowMs) / 1_000) });
  }
}

function toViewerLink({ id, role, expiresAtMs, embedOrigin }: ViewerLinkRow): ViewerLink {
  return {
    id,
    role,
    expiresAt: isoTimestamp(expiresAtMs),
    ...(embedOrigin === undefined ? {} : { embedOrigin }),
  };
}

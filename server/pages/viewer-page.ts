import { releaseSentence, ServiceError } from '@runcloud/protocol/terms';
import type { ViewerClaims } from '../account/viewer-tokens.ts';
import type { SessionFacts } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import { noticeHeaders, viewerHeaders } from './page-headers.ts';
import { type Notice, noticeHtml, viewerHtml } from './page-html.ts';

export interface ViewerPageOptions {
  readonly registry: Pick<SessionRegistry, 'read' | 'active'>;
  /** `undefined` for a token that is invalid, expired or revoked. */
  readonly verifyToken: (token: string) => ViewerClaims | undefined;
  /** The account that the browser is signed in to; `undefined` if it is not. */
  readonly accountOf: (head: Pick<HttpHead, 'header'>) => string | undefined;
  /** The origin of the server's own pages. */
  readonly ownOrigin: () => string;
}

const NO_TOKEN: Notice = {
  title: 'This link does not open a session',
  text: 'It is incomplete, has expired, or was revoked. Ask the person who gave it to you for a new one.',
  links: [{ href: '/dashboard', text: 'Dashboard' }],
};

/** `GET /view/{sessionId}?token=...`: the page at a session's `url`. No answer repeats a part of the request. */
export class ViewerPage {
  readonly #options: ViewerPageOptions;

  constructor(options: ViewerPageOptions) {
    this.#options = options;
  }

  serve(sessionId: string, token: string, head: Pick<HttpHead, 'header'>): HttpReply {
    const { verifyToken, accountOf, ownOrigin } = this.#options;
    const claims = verifyToken(token);
    // A token opens one session; at any other's address it is no token at all.
    if (claims === undefined || claims.sessionId !== sessionId) return notice(401, NO_TOKEN);
    const session = this.#activeSession(claims);
    const isOwner = accountOf(head) === claims.accountId;
    if (session === undefined) return notice(410, this.#ended(claims, isOwner));
    const { role, embedOrigin } = claims;
    const embedOrigins = [...new Set([...session.embedOrigins, ...(embedOrigin === undefined ? [] : [embedOrigin])])];
    return {
      status: 200,
      headers: viewerHeaders(ownOrigin(), embedOrigins),
      body: viewerHtml({ sessionId, platform: session.platform, role, embedOrigins, isOwner }),
    };
  }

  #ended({ accountId, sessionId }: ViewerClaims, isOwner: boolean): Notice {
    const reason = this.#releaseReason(accountId, sessionId);
    const page = { href: `/dashboard/sessions/${sessionId}`, text: 'Recordings and history' };
    return {
      title: 'This session has ended',
      text: reason === undefined ? 'Its device was released.' : releaseSentence(reason),
      links: [{ href: '/', text: 'Start a phone' }, isOwner ? page : { href: '/dashboard', text: 'Dashboard' }],
    };
  }

  /** `undefined` while the device is being released, and once the record of the session is deleted. */
  #releaseReason(accountId: string, sessionId: string): string | undefined {
    try {
      return this.#options.registry.read({ accountId }, sessionId).releaseReason;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }

  #activeSession({ accountId, sessionId }: ViewerClaims): SessionFacts | undefined {
    const { registry } = this.#options;
    try {
      const { platform } = registry.read({ accountId }, sessionId);
      return registry.active({ accountId }, platform, sessionId).facts;
    } catch (error) {
      if (error instanceof ServiceError) return undefined;
      throw error;
    }
  }
}

function notice(status: number, text: Notice): HttpReply {
  return { status, headers: noticeHeaders(), body: noticeHtml(text) };
}

import { CREDENTIAL_PARAMETERS, ROUTES } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { AccountServices } from '../account/account-services.ts';
import type { Principal } from '../account/authenticator.ts';
import type { RateLimiter } from '../account/rate-limiters.ts';
import type { HttpHead } from '../socket/http.ts';
import { DashboardCookie } from './dashboard-cookie.ts';
import { refuseForeignPage } from './own-page.ts';

/**
 * Authenticates a REST call by its `Authorization` header, else by the dashboard's cookie, which is valid only for requests of
 * the dashboard's own pages.
 */
export class Credentials {
  readonly #account: Pick<AccountServices, 'authenticate' | 'signIns'>;
  readonly #ownOrigin: () => string;

  constructor(account: Pick<AccountServices, 'authenticate' | 'signIns'>, ownOrigin: () => string) {
    this.#account = account;
    this.#ownOrigin = ownOrigin;
  }

  /** Throws `origin_not_allowed` for a cookie that another site's page sent. */
  of(head: HttpHead): Principal | undefined {
    const authorization = head.header('authorization');
    if (authorization !== undefined) return this.#account.authenticate(asBearer(authorization, head));
    if (head.header('cookie') === undefined) return undefined;
    const secret = new DashboardCookie(this.#ownOrigin()).read(head);
    if (secret === undefined) return undefined;
    refuseForeignPage(head, this.#ownOrigin());
    return this.#account.signIns.find(secret);
  }

  /** The bearer, if it has the form of a token for one session. */
  sessionToken(head: Pick<HttpHead, 'header'>): string | undefined {
    return /^bearer +(v1\.[\w.-]{1,1100})$/i.exec(head.header('authorization') ?? '')?.[1];
  }

  /** Who is signed in in the browser, of a request that a page of this service sends. */
  ofOwnPage(head: Pick<HttpHead, 'header'>): Principal | undefined {
    if (head.header('cookie') === undefined || head.header('origin') !== this.#ownOrigin()) return undefined;
    return this.ofBrowser(head);
  }

  /** Who is signed in in the browser that asks for a page. The page may show more to them; it is no leave to act. */
  ofBrowser(head: Pick<HttpHead, 'header'>): Principal | undefined {
    const secret = new DashboardCookie(this.#ownOrigin()).read(head);
    return secret === undefined ? undefined : this.#account.signIns.find(secret);
  }
}

const WEB_DRIVER = ROUTES.readWebDriver.path.replace('{command}', '');

/**
 * For WebDriver, a password of Basic authentication (RFC 7617) as the bearer that it is, whatever the user's name: many of its clients can
 * send a key in their address alone. Browsers send such passwords by themselves, so that a page's request has none.
 */
function asBearer(authorization: string, head: HttpHead): string {
  if (!head.path.startsWith(WEB_DRIVER)) return authorization;
  const [, encoded] = /^basic +([\w+/-]{1,1500}={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined || head.header('origin') !== undefined) return authorization;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? authorization : `Bearer ${text.slice(colon + 1)}`;
}

/** Charges an unauthenticated call to its network. Throws `rate_limited` with the time to wait. */
export function takeKeyless(rateLimiter: RateLimiter | undefined): void {
  if (!rateLimiter || rateLimiter.take()) return;
  const { retryAfterSeconds } = rateLimiter;
  throw new ServiceError('rate_limited', 'This address makes too many calls without a key.', { retryAfterSeconds });
}

/**
 * Refuses an unauthenticated call and charges its network. Throws `authentication_required`, or `rate_limited` like
 * `takeKeyless`.
 */
export function refuseUnauthenticated(rateLimiter: RateLimiter | undefined): never {
  takeKeyless(rateLimiter);
  throw new ServiceError('authentication_required');
}

/** The signed credential in the query; empty if absent. */
export const secretOf = ({ query }: HttpHead, credential: keyof typeof CREDENTIAL_PARAMETERS): string =>
  new URLSearchParams(query).get(CREDENTIAL_PARAMETERS[credential]) ?? '';

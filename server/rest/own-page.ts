import { DASHBOARD_HEADER, ServiceError } from '@runcloud/protocol';
import type { HttpHead } from '../socket/http.ts';

/**
 * Throws `origin_not_allowed` for a request that a browser may have been talked into by another site. What changes
 * something has to name the dashboard's own origin, and to carry a header that forms and other sites cannot send; what
 * only reads must not name another one. The cookie's `SameSite=Strict` is the second lock on the same door.
 */
export function refuseForeignPage(head: Pick<HttpHead, 'method' | 'header'>, ownOrigin: string): void {
  const reads = head.method === 'GET' || head.method === 'HEAD';
  const site = head.header('sec-fetch-site');
  // Browsers send it to addresses that they trust: https, and this machine.
  if (site !== undefined && site !== 'same-origin') refuse(`Only pages of ${ownOrigin} may use its sign-in.`);
  const origin = head.header('origin');
  if (origin === undefined ? !reads : origin !== ownOrigin) {
    refuse(`The dashboard works at ${ownOrigin}; set RUNCLOUD_PUBLIC_URL if clients see another address.`);
  }
  if (!reads && head.header('x-runcloud-dashboard') === undefined) {
    refuse(`The header "${DASHBOARD_HEADER}" is missing.`);
  }
}

/**
 * Throws `origin_not_allowed` for what a browser sends for another site's page: forms may be sent anywhere. Programs say
 * nothing of sites, and pass.
 */
export function refuseForeignBrowser(head: Pick<HttpHead, 'header'>, ownOrigin: string): void {
  const site = head.header('sec-fetch-site');
  const origin = head.header('origin');
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || (origin !== undefined && origin !== ownOrigin))
    refuse('This address is for programs, not for pages.');
}

function refuse(message: string): never {
  throw new ServiceError('origin_not_allowed', message);
}

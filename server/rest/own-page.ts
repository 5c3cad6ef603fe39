import { DASHBOARD_HEADER, ServiceError } from '@runcloud/protocol';
import type { HttpHead } from '../socket/http.ts';

/**
 * CSRF protection: throws `origin_not_allowed` for a request that another site may have triggered. A state change must have the
 * dashboard's own origin and a header that forms and other sites cannot send; a read must not have another origin. The cookie's
 * `SameSite=Strict` is a second line of defence.
 */
export function refuseForeignPage(head: Pick<HttpHead, 'method' | 'header'>, ownOrigin: string): void {
  const reads = head.method === 'GET' || head.method === 'HEAD';
  const site = head.header('sec-fetch-site');
  // Browsers send it only to trustworthy origins: https and loopback.
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
 * Throws `origin_not_allowed` for a request that a browser sends for another site's page, such as a form. Programs do not send
 * these headers and pass.
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

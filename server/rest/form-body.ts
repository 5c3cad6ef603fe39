import { isUtf8 } from 'node:buffer';
import { OAuthError } from '../account/oauth-error.ts';
import type { HttpHead } from '../socket/http.ts';

/** More parameters than any OAuth client sends. */
const PARAMETERS_MAX = 100;

/**
 * The parameters of an OAuth request (RFC 6749, section 3.2): a form without duplicate names; a parameter without a value
 * counts as absent. Throws an `OAuthError` with `invalid_request`.
 */
export function readForm(head: Pick<HttpHead, 'header'>, body: Uint8Array): ReadonlyMap<string, string> {
  const mediaType = head.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded' || !isUtf8(body)) {
    throw new OAuthError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const values = new Map<string, string>();
  const names = new Set<string>();
  for (const [name, value] of new URLSearchParams(Buffer.from(body).toString('utf8'))) {
    if (names.has(name)) throw new OAuthError('invalid_request', 'A parameter is given twice.');
    names.add(name);
    if (names.size > PARAMETERS_MAX) throw new OAuthError('invalid_request', 'There are too many parameters.');
    if (value !== '') values.set(name, value);
  }
  return values;
}

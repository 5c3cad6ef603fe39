import { requestIdOf } from '@runcloud/protocol';
import { newId, type Platform } from '@runcloud/protocol/terms';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Match } from './router.ts';

/** 1 to 128 printable characters without white space at the ends. */
const HEADER_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/** The pattern of a session id. Any other text may be a misplaced secret, so it is not repeated in an answer. */
const SESSION_ID = /^ses_[\w-]{1,124}$/;

/** The ids in a request, which the envelope of any failure repeats. */
export type Target = { -readonly [Field in keyof RequestIds]: RequestIds[Field] };

/** Reads the ids in the path and headers of a request, for REST and upgrades, authenticated or not. */
export function targetOf(found: Match, head: Pick<HttpHead, 'header'>): Target {
  if (found.kind === 'unknown') return {};
  const named: Target = {};
  const { platform, sessionId } = found.params;
  // The router matches no other platform.
  if (platform !== undefined) named.platform = platform as Platform;
  if (sessionId !== undefined && SESSION_ID.test(sessionId)) named.sessionId = sessionId;
  const requestId = requestIdOf(found.params);
  if (requestId !== undefined) named.requestId = requestId;
  if (found.kind !== 'route') return named;
  const { action } = found.route;
  if (action !== undefined) named.action = action;
  if (found.name === 'screenshot') named.requestId = callIdOf(head);
  return named;
}

/** What a call is known by that names no request in its path or body: the caller's header, or else a new id. */
export const callIdOf = (head: Pick<HttpHead, 'header'>): string => headerRequestId(head) ?? newId('req');

/** Whether the caller's request id, if any, is valid. */
export const hasGoodRequestId = (head: Pick<HttpHead, 'header'>): boolean =>
  HEADER_ID.test(head.header('x-service-request-id') ?? 'none');

function headerRequestId(head: Pick<HttpHead, 'header'>): string | undefined {
  return hasGoodRequestId(head) ? head.header('x-service-request-id') : undefined;
}

import { requestIdOf } from '@runcloud/protocol';
import { newId, type Platform } from '@runcloud/protocol/terms';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Match } from './router.ts';

export const REQUEST_ID_HEADER = 'X-Service-Request-ID';

/** 1 to 128 printable characters without white space at the ends. */
const HEADER_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/** The pattern of a session id. Any other text may be a misplaced secret, so it is not repeated in an answer. */
const SESSION_ID = /^ses_[\w-]{1,124}$/;

/** The ids in a request, which are known before it is authenticated. */
export interface Target {
  /** Fields of the request for the envelope of any failure. */
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
  /** Headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads the ids in the path and headers of a request, for REST and upgrades, authenticated or not. */
export function targetOf(found: Match, head: Pick<HttpHead, 'header'>): Target {
  if (found.kind === 'unknown') return { named: {} };
  const named: Target['named'] = {};
  const { platform, sessionId } = found.params;
  // The router matches no other platform.
  if (platform !== undefined) named.platform = platform as Platform;
  if (sessionId !== undefined && SESSION_ID.test(sessionId)) named.sessionId = sessionId;
  const requestId = requestIdOf(found.params);
  if (requestId !== undefined) named.requestId = requestId;
  if (found.kind !== 'route') return { named };
  const { action } = found.route;
  if (action !== undefined) named.action = action;
  if (found.name !== 'screenshot') return { named };
  named.requestId = headerRequestId(head) ?? newId('req');
  return { named, headers: { [REQUEST_ID_HEADER]: named.requestId } };
}

/** Whether the caller's request id, if any, is valid. */
export const hasGoodRequestId = (head: Pick<HttpHead, 'header'>): boolean =>
  HEADER_ID.test(head.header('x-service-request-id') ?? 'none');

function headerRequestId(head: Pick<HttpHead, 'header'>): string | undefined {
  return hasGoodRequestId(head) ? head.header('x-service-request-id') : undefined;
}

import { requestIdOf } from '@runcloud/protocol';
import { newId, type Platform } from '@runcloud/protocol/terms';
import type { RequestIds } from '../interaction/acknowledge.ts';
import type { HttpHead } from '../socket/http.ts';
import type { Match } from './router.ts';

export const REQUEST_ID_HEADER = 'X-Service-Request-ID';

/** 1 to 128 printable characters (specification, section 4.4); white space at the ends belongs to no header's value. */
const HEADER_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,126}[\x21-\x7e])?$/;

/** What may be a session's id. Anything else in its place may be a secret in the wrong one, and is not said again. */
const SESSION_ID = /^ses_[\w-]{1,124}$/;

/** What a request says of itself before anybody knows who sent it. */
export interface Target {
  /** What the envelope of a failure says of the request, for whichever reason it fails. */
  readonly named: { -readonly [Field in keyof RequestIds]: RequestIds[Field] };
  /** What every answer has, whatever it is. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The one place that reads what address and headers of a request name: for REST and upgrades, known callers and others. */
export function targetOf(found: Match, head: Pick<HttpHead, 'header'>): Target {
  if (found.kind === 'unknown') return { named: {} };
  const named: Target['named'] = {};
  const { platform, sessionId } = found.params;
  // The router knows no other.
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

/** Whether the caller's own request id, if it sent one, is allowed. */
export const hasGoodRequestId = (head: Pick<HttpHead, 'header'>): boolean =>
  HEADER_ID.test(head.header('x-service-request-id') ?? 'none');

function headerRequestId(head: Pick<HttpHead, 'header'>): string | undefined {
  return hasGoodRequestId(head) ? head.header('x-service-request-id') : undefined;
}

import {
  checkCreateViewerLink,
  checkListQuery,
  faultSentence,
  ListQuery,
  type RevokedViewerLink,
  ServiceError,
} from '@runcloud/protocol';
import type { LinkedSession, ViewerLinks } from '../account/viewer-links.ts';
import type { Cursors } from '../flow/cursors.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, readBody } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';

/**
 * The caller's active session that the address names. Throws `session_not_found` for one that it never had, and
 * `active_session_not_found` for one that has ended.
 */
export function linkedSession(
  { owner, params }: Pick<Call, 'owner' | 'params'>,
  registry: SessionRegistry,
): LinkedSession {
  const { id, platform } = registry.read(owner, params.sessionId ?? '');
  const { accountId, createdAtMs, hardTimeoutMs } = registry.active(owner, platform, id).facts;
  return { id, accountId, hardEndMs: createdAtMs + hardTimeoutMs };
}

export function createViewerLink(call: Call, session: LinkedSession, links: ViewerLinks, body: Uint8Array): HttpReply {
  const checked = checkCreateViewerLink(readBody(call, body, 'invalid_request'));
  if (!checked.ok) throw new ServiceError('invalid_request', faultSentence(checked.fault));
  return json(201, links.create(session, checked.value));
}

const VIEWER_LINKS = {
  name: 'viewerLinks',
  fields: Object.keys(ListQuery.properties),
  check: checkListQuery,
  code: 'invalid_request',
} as const;

export function listViewerLinks(call: Call, session: LinkedSession, links: ViewerLinks, cursors: Cursors): HttpReply {
  return answerList(VIEWER_LINKS, call, cursors, session.id, (span) => links.list(session, span));
}

export function revokeViewerLink({ params }: Call, session: LinkedSession, links: ViewerLinks): HttpReply {
  const { linkId: id = '' } = params;
  links.revoke(session, id);
  const revoked: RevokedViewerLink = { id, revoked: true };
  return json(200, revoked);
}

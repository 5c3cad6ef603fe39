import { ROUTES } from '@runcloud/protocol';
import type { LiveSession } from '../session/live-session.ts';
import type { CallTo } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

const linked = ({ facts: { id, accountId, createdAtMs, hardTimeoutMs } }: LiveSession) => {
  return { id, accountId, hardEndMs: createdAtMs + hardTimeoutMs };
};

export function createViewerLink({ session, body }: CallTo<'createViewerLink'>, { viewerLinks }: Services) {
  return json(201, viewerLinks.create(linked(session), body));
}

export function listViewerLinks(call: CallTo<'listViewerLinks'>, { viewerLinks, cursors }: Services) {
  const { facts } = call.session;
  return answerList('viewerLinks', ROUTES.listViewerLinks, call, cursors, facts.id, (span) =>
    viewerLinks.list(facts, span),
  );
}

export function revokeViewerLink({ session, params }: CallTo<'revokeViewerLink'>, { viewerLinks }: Services) {
  const { linkId: id } = params;
  viewerLinks.revoke(session.facts, id);
  return json(200, { id, revoked: true } as const);
}

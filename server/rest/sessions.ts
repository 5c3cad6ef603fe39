import { ROUTES } from '@runcloud/protocol';
import { type CallTo, readIdempotencyKey } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

export async function createSession(call: CallTo<'createSession'>, { registry }: Services) {
  call.named.platform = call.body.platform;
  const key = readIdempotencyKey(call, 'invalid_session_request');
  const { created, record } = await registry.create(call.owner, call.body, key);
  return json(created ? 201 : 200, record);
}

export function listSessions(
  call: Pick<CallTo<'listSessions'>, 'owner' | 'query'>,
  { registry, cursors }: Pick<Services, 'registry' | 'cursors'>,
) {
  const { owner } = call;
  return answerList('sessions', ROUTES.listSessions, call, cursors, owner.accountId, (span, { platform, status }) =>
    registry.list(owner, { ...(platform && { platform }), ...(status && { status }) }, span),
  );
}

export const getSession = ({ session }: CallTo<'getSession'>) => json(200, session);

export async function deleteSession({ owner, session }: CallTo<'deleteSession'>, { registry }: Services) {
  return json(200, await registry.release(owner, session.id));
}

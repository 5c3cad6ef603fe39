import {
  checkCreateSession,
  checkSessionListQuery,
  faultSentence,
  ServiceError,
  SessionListQuery,
} from '@runcloud/protocol';
import type { Cursors } from '../flow/cursors.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, readBody, readIdempotencyKey } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';

export async function createSession(call: Call, registry: SessionRegistry, body: Uint8Array): Promise<HttpReply> {
  const value = readBody(call, body, 'invalid_session_request');
  const checked = checkCreateSession(value);
  if (!checked.ok) throw new ServiceError('invalid_session_request', faultSentence(checked.fault));
  call.named.platform = checked.value.platform;
  const key = readIdempotencyKey(call, 'invalid_session_request');
  const { created, record } = await registry.create(call.owner, checked.value, key);
  return json(created ? 201 : 200, record);
}

const SESSIONS = {
  name: 'sessions',
  fields: Object.keys(SessionListQuery.properties),
  check: checkSessionListQuery,
  code: 'invalid_session_request',
} as const;

export function listSessions(call: Call, registry: SessionRegistry, cursors: Cursors): HttpReply {
  const { owner } = call;
  return answerList(SESSIONS, call, cursors, owner.accountId, (span, { platform, status }) =>
    registry.list(owner, { ...(platform && { platform }), ...(status && { status }) }, span),
  );
}

export function getSession({ owner, params }: Call, registry: SessionRegistry): HttpReply {
  return json(200, registry.read(owner, params.sessionId ?? ''));
}

export async function deleteSession({ owner, params }: Call, registry: SessionRegistry): Promise<HttpReply> {
  return json(200, await registry.release(owner, params.sessionId ?? ''));
}

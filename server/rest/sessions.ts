import {
  checkCreateSession,
  faultSentence,
  PLATFORMS,
  type Platform,
  SESSION_STATUSES,
  ServiceError,
  type SessionStatus,
} from '@runcloud/protocol';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, readBody, readIdempotencyKey } from './call.ts';
import { readQuery } from './query.ts';
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

export function listSessions({ head, owner }: Call, registry: SessionRegistry): HttpReply {
  const { platform, status } = readQuery(head.query, ['platform', 'status']);
  return json(200, {
    sessions: registry.list(owner, {
      ...(platform === undefined ? {} : { platform: among<Platform>('platform', platform, PLATFORMS) }),
      ...(status === undefined ? {} : { status: among<SessionStatus>('status', status, SESSION_STATUSES) }),
    }),
  });
}

export function getSession({ owner, params }: Call, registry: SessionRegistry): HttpReply {
  return json(200, registry.read(owner, params.sessionId ?? ''));
}

export async function deleteSession({ owner, params }: Call, registry: SessionRegistry): Promise<HttpReply> {
  return json(200, await registry.release(owner, params.sessionId ?? ''));
}

function among<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((item) => item === value);
  if (!found) throw new ServiceError('invalid_session_request', `"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}

import { type Acknowledgement, checkOpenUrl, faultSentence, type Platform, ServiceError } from '@runcloud/protocol';
import type { LiveSession } from '../session/live-session.ts';
import { openUrl } from '../session/open-url.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, newRequestId, readBody } from './call.ts';
import { acknowledgementReply, json } from './reply.ts';

/** A device that could not take the URL is worth another try no sooner. */
const RETRY_AFTER_SECONDS = 1;

/** The session of the call. Throws `active_session_not_found`, or `simulator_session_ended` when its lease ended under it. */
export function openUrlSession(call: Call, registry: SessionRegistry): LiveSession {
  const { platform, sessionId = '' } = call.params;
  const { deviceId, leaseId, session } = registry.leased(call.owner, platform as Platform, sessionId);
  call.named.device = deviceId;
  call.named.leaseId = leaseId;
  if (!session) throw new ServiceError('simulator_session_ended');
  return session;
}

/** `POST .../open-url`: answers with the six fields of the result, or the envelope of the failure. */
export function postOpenUrl(call: Call, session: LiveSession, body: Uint8Array): Promise<HttpReply> {
  const requestId = newRequestId();
  call.named.requestId = requestId;
  const checked = checkOpenUrl(readBody(call, body, 'invalid_url'));
  if (!checked.ok) throw new ServiceError('invalid_url', faultSentence(checked.fault));
  const { url } = checked.value;
  return new Promise((resolve) => {
    openUrl(session, { requestId, url }, { settled: (acknowledgement) => resolve(openUrlReply(acknowledgement)) });
  });
}

function openUrlReply(acknowledgement: Acknowledgement): HttpReply {
  const { ok, result, error } = acknowledgement;
  if (ok && result) return json(200, result);
  const headers = error?.retryable ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : undefined;
  return acknowledgementReply(acknowledgement, headers);
}

import { type Acknowledgement, newId, type OpenUrlResult } from '@runcloud/protocol';
import { openUrl } from '../session/open-url.ts';
import type { CallTo } from './call.ts';
import { senderOf } from './control.ts';
import { acknowledgementReply, type FailureReply, type JsonReply, json } from './reply.ts';
import type { Services } from './services.ts';

/** `Retry-After` of a failure that is retryable. */
const RETRY_AFTER_SECONDS = 1;

type OpenUrlReply = JsonReply<200, OpenUrlResult> | FailureReply;

/** `POST .../open-url`: answers with the six fields of the result, or the envelope of the failure. */
export function postOpenUrl(call: CallTo<'openUrl'>, services: Services): Promise<OpenUrlReply> {
  const { named, session, body } = call;
  const { url, requestId = newId('req') } = body;
  named.requestId = requestId;
  return new Promise((resolve) => {
    const settled = (acknowledgement: Acknowledgement) => resolve(openUrlReply(acknowledgement));
    openUrl(session, { requestId, url }, { ...senderOf(call, services), settled });
  });
}

function openUrlReply(acknowledgement: Acknowledgement): OpenUrlReply {
  const { ok, result, error } = acknowledgement;
  if (ok && result) return json(200, result as OpenUrlResult);
  const headers = error?.retryable ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : undefined;
  return acknowledgementReply(acknowledgement, headers) as FailureReply;
}

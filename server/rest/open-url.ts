import { type Acknowledgement, newId, type OpenUrlResult } from '@runcloud/protocol';
import { openUrl } from '../session/open-url.ts';
import type { CallTo } from './call.ts';
import { acknowledgementReply, type FailureReply, type JsonReply, json } from './reply.ts';

/** `Retry-After` of a failure that is retryable. */
const RETRY_AFTER_SECONDS = 1;

type OpenUrlReply = JsonReply<200, OpenUrlResult> | FailureReply;

/** `POST .../open-url`: answers with the six fields of the result, or the envelope of the failure. */
export function postOpenUrl({ named, session, body: { url } }: CallTo<'openUrl'>): Promise<OpenUrlReply> {
  const requestId = newId('req');
  named.requestId = requestId;
  return new Promise((resolve) => {
    openUrl(session, { requestId, url }, { settled: (acknowledgement) => resolve(openUrlReply(acknowledgement)) });
  });
}

function openUrlReply(acknowledgement: Acknowledgement): OpenUrlReply {
  const { ok, result, error } = acknowledgement;
  if (ok && result) return json(200, result as OpenUrlResult);
  const headers = error?.retryable ? { 'Retry-After': String(RETRY_AFTER_SECONDS) } : undefined;
  return acknowledgementReply(acknowledgement, headers) as FailureReply;
}

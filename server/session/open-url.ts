import { faultSentence, LIMITS, ServiceError, urlFault } from '@runcloud/protocol';
import { OPEN_URL_ENDINGS, OpenUrlRunner } from '../interaction/open-url-runner.ts';
import type { RequestObserver, RequestSpec } from '../interaction/request.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Opens a URL in the session. It takes its turn behind the interactions that were accepted before it, so that a tap and
 * what it was to prepare stay in their order; the acknowledgement's `result` has the six fields of the specification's
 * section 2.6. Throws `ServiceError` for what is not accepted: `simulator_session_ended`, `invalid_url`,
 * `open_url_scope_required`, `unsupported_action`, `duplicate_request`, `not_in_control`, `rate_limited`.
 */
export function openUrl(
  session: LiveSession,
  { requestId, url }: { readonly requestId: string; readonly url: string },
  observer: RequestObserver,
): void {
  const { facts, lease, remaining } = session;
  // The session's end follows its hard timeout by a moment, in which its lease is over all the same.
  if (remaining.reason === 'hard_timeout' && remaining.ms <= 0) throw new ServiceError('simulator_session_ended');
  const broken = urlFault(url);
  if (broken) throw new ServiceError('invalid_url', faultSentence({ path: 'url', message: broken }));
  if (!session.device.capabilities.openUrl) {
    throw new ServiceError('unsupported_action', 'Opening URLs is not supported by this device.');
  }
  if (!lease.scope.openUrl) throw new ServiceError('open_url_scope_required');
  session.touch();
  const { id: sessionId, platform } = facts;
  const names = { device: lease.deviceId, leaseId: lease.leaseId };
  const createRunner: RequestSpec['createRunner'] = (device, nextInputSeq) =>
    new OpenUrlRunner(device, { ok: true, platform, sessionId, ...names, url }, nextInputSeq);
  const timeoutMs = LIMITS.interactionTimeoutMs.default;
  const job = { requestId, action: 'open-url', body: { url }, timeoutMs, endings: OPEN_URL_ENDINGS, lease: names };
  session.interactions.accept({ ...job, createRunner }, observer);
}

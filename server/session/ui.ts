import type { UiFormat } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { INTERACTION_ENDINGS } from '../interaction/ending.ts';
import type { RequestObserver } from '../interaction/request.ts';
import { UiRunner } from '../interaction/ui-runner.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Reads what is on the screen of the session's device. It takes its turn behind the interactions that were accepted before it, so
 * that it tells of their effects; the acknowledgement's `result` is a `UiTree` or a `UiOutline`. Throws `ServiceError` for what is not
 * accepted: `unsupported_action`, `duplicate_request`, `rate_limited`, `active_session_not_found`.
 */
export function readUi(
  session: LiveSession,
  { requestId, format = 'json' }: { readonly requestId: string; readonly format?: UiFormat | undefined },
  observer: RequestObserver,
): void {
  if (!session.device.capabilities.ui) {
    throw new ServiceError('unsupported_action', 'This device does not tell what is on its screen.');
  }
  const { uiAllowance: allowance } = session;
  if (!allowance.take()) {
    const sentence = `What is on the screen of a session is read ${LIMITS.uiReadsPerSecond} times a second at most.`;
    throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: allowance.retryAfterSeconds });
  }
  session.touch();
  const job = {
    requestId,
    action: 'ui',
    body: { format },
    timeoutMs: LIMITS.interactionTimeoutMs.default,
    endings: INTERACTION_ENDINGS,
    isRead: true,
    isLook: true,
    // The outcomes of ten minutes would hold thousands of trees.
    isForgotten: true,
  };
  session.interactions.accept({ ...job, createRunner: (device) => new UiRunner(device, format) }, observer);
}

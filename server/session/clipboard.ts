import { faultSentence, LIMITS, ServiceError, writtenTextFault } from '@runcloud/protocol';
import { ClipboardRunner } from '../interaction/clipboard-runner.ts';
import { INTERACTION_ENDINGS } from '../interaction/ending.ts';
import type { RequestObserver } from '../interaction/request.ts';
import type { LiveSession } from './live-session.ts';

/**
 * Reads the clipboard of the session's device, or writes a text to it and reads back what it then holds. It takes its turn
 * behind the interactions that were accepted before it, so that what a key copied is there; the acknowledgement's `result`
 * is a `ClipboardText`. Throws `ServiceError` for what is not accepted: `invalid_request`, `unsupported_action`,
 * `duplicate_request`, `not_in_control`, `rate_limited`, `active_session_not_found`.
 * @param text absent to read alone
 */
export function accessClipboard(
  session: LiveSession,
  { requestId, text }: { readonly requestId: string; readonly text?: string },
  observer: RequestObserver,
): void {
  const fault = text === undefined ? undefined : writtenTextFault(text);
  if (fault) throw new ServiceError('invalid_request', faultSentence(fault));
  if (!session.device.capabilities.clipboard) {
    throw new ServiceError('unsupported_action', 'The clipboard is not supported by this device.');
  }
  const { clipboardAllowance: allowance } = session;
  if (!allowance.take()) {
    const sentence = `The clipboard of a session is read and written ${LIMITS.clipboardCallsPerSecond} times a second at most.`;
    throw new ServiceError('rate_limited', sentence, { retryAfterSeconds: allowance.retryAfterSeconds });
  }
  session.touch();
  const job = {
    requestId,
    action: text === undefined ? 'clipboard.get' : 'clipboard.set',
    body: text === undefined ? {} : { text },
    timeoutMs: LIMITS.interactionTimeoutMs.default,
    endings: INTERACTION_ENDINGS,
    isRead: text === undefined,
    // The outcomes of ten minutes would hold thousands of texts.
    isForgotten: true,
  };
  session.interactions.accept({ ...job, createRunner: (device) => new ClipboardRunner(device, text) }, observer);
}

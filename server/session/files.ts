import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { FileOrder } from '../device/files.ts';
import { INTERACTION_ENDINGS } from '../interaction/ending.ts';
import { FileRunner } from '../interaction/file-runner.ts';
import type { RequestObserver } from '../interaction/request.ts';
import type { LiveSession } from './live-session.ts';

export type { FileOrder };

/** Throws `unsupported_action` for a device whose files cannot be reached. */
export function checkHasFiles({ device }: LiveSession): void {
  if (device.capabilities.files) return;
  throw new ServiceError('unsupported_action', 'The files of this device cannot be reached.');
}

/**
 * Carries out an order about a file of the session's device, behind the interactions that were accepted before; the acknowledgement's
 * `result` is a `FileList`, a `PushedFile`, a `DeletedFile`, or the size of what was pulled. Throws `ServiceError` for what is not
 * accepted: `unsupported_action`, `not_in_control`, `rate_limited`, `active_session_not_found`.
 */
export function accessFiles(
  session: LiveSession,
  { requestId, order }: { readonly requestId: string; readonly order: FileOrder },
  observer: RequestObserver,
): void {
  checkHasFiles(session);
  session.touch();
  const { verb, root, path } = order;
  const job = {
    requestId,
    action: `file.${verb}`,
    body: order.verb === 'push' ? { root, path, byteSize: order.byteSize } : { root, path },
    timeoutMs: LIMITS.interactionTimeoutMs.max,
    endings: INTERACTION_ENDINGS,
    isRead: verb === 'list' || verb === 'pull',
    // The outcomes of ten minutes would hold thousands of lists.
    isForgotten: true,
  };
  session.interactions.accept({ ...job, createRunner: (device) => new FileRunner(device, order) }, observer);
}

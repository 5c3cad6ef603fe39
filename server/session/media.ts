import type { AddedMedia } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { INTERACTION_ENDINGS } from '../interaction/ending.ts';
import { MediaRunner } from '../interaction/media-runner.ts';
import type { RequestObserver } from '../interaction/request.ts';
import type { LiveSession } from './live-session.ts';

/** Throws `unsupported_action` for a device that has no photo library. */
export function checkTakesMedia({ device }: LiveSession): void {
  if (device.capabilities.media) return;
  throw new ServiceError('unsupported_action', 'Adding to the photo library is not supported by this device.');
}

/**
 * Adds a picture or a video to the photo library of the session's device, behind the interactions that were accepted before; the
 * acknowledgement's `result` is an `AddedMedia`. Throws `ServiceError` for what is not accepted: `unsupported_action`, `not_in_control`,
 * `rate_limited`, `active_session_not_found`.
 * @param file absolute path of it on this host, where it stays until the end
 */
export function addMedia(
  session: LiveSession,
  {
    requestId,
    media,
    file,
  }: { readonly requestId: string; readonly media: Omit<AddedMedia, 'readBack'>; readonly file: string },
  observer: RequestObserver,
): void {
  checkTakesMedia(session);
  session.touch();
  const timeoutMs = LIMITS.interactionTimeoutMs.max;
  const job = { requestId, action: 'media.add', body: media, timeoutMs, endings: INTERACTION_ENDINGS };
  session.interactions.accept({ ...job, createRunner: (device) => new MediaRunner(device, media, file) }, observer);
}

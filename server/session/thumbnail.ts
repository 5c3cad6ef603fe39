import { LIMITS } from '@runcloud/protocol/terms';
import { type Clock, systemClock } from '../flow/clock.ts';
import { withTimeout } from '../flow/timeout.ts';
import type { Thumbnail } from '../link/messages.ts';
import type { LiveSession } from './live-session.ts';
import { toScreenshotError } from './screenshot.ts';

/** The newest picture of a session in small. It fails as a screenshot does. */
export async function takeThumbnail(session: LiveSession, clock: Clock = systemClock): Promise<Thumbnail> {
  try {
    return await withTimeout(LIMITS.interactionTimeoutMs.default, clock, session.thumbnails.take());
  } catch (error) {
    throw toScreenshotError(error);
  }
}

import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import { DeviceFault, type DeviceFaultKind } from '../device/fault.ts';
import { type Clock, systemClock } from '../flow/clock.ts';
import type { Bearer } from '../flow/quota.ts';
import { TimeoutError, withTimeout } from '../flow/timeout.ts';
import type { Screenshot, Thumbnail } from '../link/messages.ts';
import type { LiveSession } from './live-session.ts';

const CODE_OF_FAULT = {
  aborted: 'screenshot_cancelled',
  full: 'screenshot_failed',
  damaged: 'screenshot_failed',
  failed: 'screenshot_failed',
  unhandled: 'screenshot_failed',
  missing: 'screenshot_failed',
  unavailable: 'screenshot_transport_error',
  unreachable: 'screenshot_transport_error',
  nonsense: 'screenshot_invalid_response',
  unsupported: 'screenshot_failed',
} as const satisfies Record<DeviceFaultKind, string>;

export interface ScreenshotOptions {
  readonly timeoutMs?: number;
  /** Wait until the picture stands still, at most 2 seconds. */
  readonly settled?: boolean;
  /** Who asks; absent for a call over REST, which has a key. */
  readonly bearer?: Bearer;
}

const CALLER: Bearer = { name: 'REST', kind: 'key' };

/** The newest picture of a session, or the settled one. It does not queue behind interactions. Throws `ServiceError`. */
export async function takeScreenshot(
  session: LiveSession,
  { timeoutMs = LIMITS.interactionTimeoutMs.default, settled = false, bearer = CALLER }: ScreenshotOptions = {},
  clock: Clock = systemClock,
): Promise<Screenshot> {
  return taken(timeoutMs, clock, session.screenshots.take(bearer, settled));
}

/** The same as a JPEG of 768 pixels at most on its long edge. */
export async function takeSmallScreenshot(
  session: LiveSession,
  { timeoutMs = LIMITS.interactionTimeoutMs.default, settled = false, bearer = CALLER }: ScreenshotOptions = {},
  clock: Clock = systemClock,
): Promise<Thumbnail> {
  return taken(timeoutMs, clock, session.screenshots.takeSmall(bearer, settled));
}

async function taken<Still>(timeoutMs: number, clock: Clock, still: Promise<Still>): Promise<Still> {
  try {
    return await withTimeout(timeoutMs, clock, still);
  } catch (error) {
    throw toScreenshotError(error);
  }
}

/** Converts a device's failure to the error that the caller sees. Errors of our own stay as they are. */
export function toScreenshotError(error: unknown): unknown {
  if (error instanceof DeviceFault) return new ServiceError(CODE_OF_FAULT[error.kind], error.message);
  return error instanceof TimeoutError ? new ServiceError('screenshot_timeout') : error;
}

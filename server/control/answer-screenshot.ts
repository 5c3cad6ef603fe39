import type { ServerMessage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { elapsedMs, timestampNow } from '../flow/timestamp.ts';
import { acknowledge, refuse } from '../interaction/acknowledge.ts';
import { toServiceError } from '../rest/reply.ts';
import type { LiveSession } from '../session/live-session.ts';
import { type ScreenshotOptions, takeScreenshot } from '../session/screenshot.ts';

/** Takes a screenshot and returns its `result`; a failure is a result too, and an internal error is also logged. */
export async function answerScreenshot(
  session: LiveSession,
  { requestId, ...options }: ScreenshotOptions & { readonly requestId: string },
  clock: Clock,
  onFault: (error: unknown) => void,
): Promise<ServerMessage> {
  const accepted = timestampNow(clock);
  const { id: sessionId, platform } = session.facts;
  const identity = { sessionId, platform };
  try {
    const { png, width, height, inputSeq } = await takeScreenshot(session, options, clock);
    const result = { image: png, contentType: 'image/png', width, height, inputSeq };
    const ending = { status: 'completed', result } as const;
    return {
      type: 'result',
      ...acknowledge(identity, { requestId, action: 'screenshot', accepted }, ending, elapsedMs(accepted, clock)),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) onFault(error);
    const failure = toServiceError(error).toBody();
    return { type: 'result', ...refuse({ requestId, ...identity, action: 'screenshot' }, failure, accepted, clock) };
  }
}

import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Bearer } from '../flow/quota.ts';
import { elapsedMs, timestampNow } from '../flow/timestamp.ts';
import type { History } from '../history/history.ts';
import { acknowledge, refuse } from '../interaction/acknowledge.ts';
import { toServiceError } from '../rest/reply.ts';
import type { LiveSession } from '../session/live-session.ts';
import { takeScreenshot } from '../session/screenshot.ts';
import { listHistory } from './list-history.ts';
import { performRecording, type RecordingHandlers } from './perform-recording.ts';

/** Messages that are no input, and are answered when their work is done. */
export type AnsweredMessage = Extract<
  ClientMessage,
  { type: 'screenshot' | `history.${string}` | `recording.${string}` }
>;

export type Result = Extract<ServerMessage, { type: 'result' }>;

export interface AnswerServices extends RecordingHandlers {
  readonly history: Pick<History, 'read'>;
}

export interface AnswerOptions {
  readonly session: LiveSession;
  readonly services: AnswerServices;
  readonly clock: Clock;
  /** Receives internal errors; what the caller did wrong is in the answer alone. */
  readonly onFault: (error: unknown) => void;
}

/** Does what a message asks for, and makes its `result` of what comes of it; a failure is a result too. */
export async function answer(message: AnsweredMessage, options: AnswerOptions, bearer: Bearer): Promise<Result> {
  const { session, clock, onFault } = options;
  const { requestId, type: action } = message;
  const accepted = timestampNow(clock);
  const { id: sessionId, platform } = session.facts;
  try {
    const ending = { status: 'completed', result: await perform(message, options, bearer) } as const;
    const durationMs = elapsedMs(accepted, clock);
    return {
      type: 'result',
      ...acknowledge({ sessionId, platform }, { requestId, action, accepted }, ending, durationMs),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) onFault(error);
    const failure = toServiceError(error).toBody();
    return { type: 'result', ...refuse({ requestId, sessionId, platform, action }, failure, accepted, clock) };
  }
}

async function perform(
  message: AnsweredMessage,
  { session, services, clock }: AnswerOptions,
  bearer: Bearer,
): Promise<Record<string, unknown>> {
  switch (message.type) {
    case 'screenshot': {
      const { png, width, height, inputSeq } = await takeScreenshot(session, { ...message, bearer }, clock);
      return { image: png, contentType: 'image/png', width, height, inputSeq };
    }
    case 'history.list':
      return listHistory(session.facts, message, services.history);
    default:
      return performRecording(session, message, services);
  }
}

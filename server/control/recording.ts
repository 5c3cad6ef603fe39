import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { elapsedMs, stampNow } from '../flow/stamp.ts';
import { acknowledge, refuse } from '../interaction/acknowledge.ts';
import type { Recordings } from '../recording/recordings.ts';
import { toServiceError } from '../rest/reply.ts';
import type { LiveSession } from '../session/live-session.ts';

type RecordingMessage = Extract<
  ClientMessage,
  { type: 'recording.start' | 'recording.stop' | 'recording.get' | 'recording.list' }
>;

/** Carries out a message about recordings and makes the one `result` that answers it; a failure is a result too. */
export async function answerRecording(
  session: LiveSession,
  message: RecordingMessage,
  recordings: Recordings,
  clock: Clock,
  onFault: (error: unknown) => void,
): Promise<ServerMessage> {
  const accepted = stampNow(clock);
  const { id: sessionId, platform } = session.facts;
  const { requestId, type: action } = message;
  try {
    const result = await act(session, message, recordings);
    const ending = { status: 'completed', result } as const;
    return {
      type: 'result',
      ...acknowledge({ sessionId, platform }, { requestId, action, accepted }, ending, elapsedMs(accepted, clock)),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) onFault(error);
    const failure = toServiceError(error).toBody();
    return { type: 'result', ...refuse({ requestId, sessionId, platform, action }, failure, accepted, clock) };
  }
}

async function act(
  session: LiveSession,
  message: RecordingMessage,
  recordings: Recordings,
): Promise<Record<string, unknown>> {
  const { id } = session.facts;
  switch (message.type) {
    case 'recording.start':
      return { recording: (await recordings.start(session, message.idempotencyKey)).record };
    case 'recording.stop':
      return { recording: await recordings.stop(id, message.recordingId) };
    case 'recording.get':
      return { recording: recordings.read(id, message.recordingId) };
    case 'recording.list':
      return { recordings: recordings.list(id) };
  }
}

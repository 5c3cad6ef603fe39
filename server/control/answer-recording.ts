import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { Cursors } from '../flow/cursors.ts';
import { elapsedMs, timestampNow } from '../flow/timestamp.ts';
import { acknowledge, refuse } from '../interaction/acknowledge.ts';
import type { Recordings } from '../recording/recordings.ts';
import { listName, spanOf } from '../rest/listing.ts';
import { toServiceError } from '../rest/reply.ts';
import type { LiveSession } from '../session/live-session.ts';

type RecordingMessage = Extract<
  ClientMessage,
  { type: 'recording.start' | 'recording.stop' | 'recording.get' | 'recording.list' }
>;

/** The services behind the `recording.*` messages. */
export interface RecordingHandlers {
  readonly recordings: Recordings;
  /** Cursors of the list's pages; shared with REST. */
  readonly cursors: Cursors;
}

/** Performs a `recording.*` message and returns its `result`; a failure is a result too. */
export async function answerRecording(
  session: LiveSession,
  message: RecordingMessage,
  services: RecordingHandlers,
  clock: Clock,
  onFault: (error: unknown) => void,
): Promise<ServerMessage> {
  const accepted = timestampNow(clock);
  const { id: sessionId, platform } = session.facts;
  const { requestId, type: action } = message;
  try {
    const result = await act(session, message, services);
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
  { recordings, cursors }: RecordingHandlers,
): Promise<Record<string, unknown>> {
  const { id } = session.facts;
  switch (message.type) {
    case 'recording.start':
      return { recording: (await recordings.start(session, message.idempotencyKey)).record };
    case 'recording.stop':
      return { recording: await recordings.stop(id, message.recordingId) };
    case 'recording.get':
      return { recording: recordings.read(id, message.recordingId) };
    case 'recording.list': {
      const { limit = LIMITS.recordingsListed.default, cursor } = message;
      const asked = { limit, ...(cursor === undefined ? {} : { cursor }) };
      const list = listName('recordings', id, asked);
      const { items, positions, more } = recordings.list(id, spanOf(cursors, list, asked, 'invalid_request'));
      const last = positions.at(-1);
      return { recordings: items, ...(more && last ? { next: cursors.seal(list, last) } : {}) };
    }
  }
}

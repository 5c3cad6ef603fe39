import type { ClientMessage } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { Cursors } from '../flow/cursors.ts';
import type { Recordings } from '../recording/recordings.ts';
import { listName, spanOf } from '../rest/listing.ts';
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

/** Performs a `recording.*` message. Throws `ServiceError`, as `Recordings` does. */
export async function performRecording(
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

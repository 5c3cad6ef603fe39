import { checkRecordingListQuery, RecordingListQuery } from '@runcloud/protocol';
import { type Platform, ServiceError } from '@runcloud/protocol/terms';
import type { Cursors } from '../flow/cursors.ts';
import type { Downloads } from '../recording/downloads.ts';
import type { Recordings } from '../recording/recordings.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, readIdempotencyKey } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';

/**
 * The caller's session that the address names, live or ended; being asked for its recordings counts as use. Throws
 * `session_not_found`.
 */
export function ownedSession({ owner, params }: Pick<Call, 'owner' | 'params'>, registry: SessionRegistry): string {
  const { id, platform } = registry.read(owner, params.sessionId ?? '');
  if (platform !== params.platform) throw new ServiceError('session_not_found');
  registry.touch(id);
  return id;
}

/**
 * The answer to a start whose `Idempotency-Key` was used in this session, which may have ended since: a caller who has lost
 * the first answer gets it. `undefined` for a start that is none of a second time.
 */
export function repeatedStart(
  call: Call,
  registry: SessionRegistry,
  recordings: Recordings,
): Promise<HttpReply> | undefined {
  const { platform, sessionId = '' } = call.params;
  const place = { accountId: call.owner.accountId, platform: platform as Platform, sessionId };
  const known = recordings.repeated(place, call.head.header('idempotency-key'));
  if (known !== undefined) registry.touch(sessionId);
  return known?.then((record) => json(200, record));
}

/** `POST .../recordings`: answers when the capture has begun. */
export async function startRecording(call: Call, session: LiveSession, recordings: Recordings): Promise<HttpReply> {
  const key = readIdempotencyKey(call, 'invalid_recording_request');
  session.touch();
  const { created, record } = await recordings.start(session, key);
  return json(created ? 201 : 200, record);
}

/** Whoever asks for a plain list is promised up to 100 recordings: their number bounds the answer, not their bytes. */
export const RECORDINGS = {
  name: 'recordings',
  fields: Object.keys(RecordingListQuery.properties),
  check: checkRecordingListQuery,
  code: 'invalid_recording_request',
  bytesMax: Number.POSITIVE_INFINITY,
} as const;

export function listRecordings(call: Call, sessionId: string, recordings: Recordings, cursors: Cursors): HttpReply {
  return answerList(RECORDINGS, call, cursors, sessionId, (span) => recordings.list(sessionId, span));
}

export function getRecording({ params }: Call, sessionId: string, recordings: Recordings): HttpReply {
  return json(200, recordings.read(sessionId, params.recordingId ?? ''));
}

export async function stopRecording({ params }: Call, sessionId: string, recordings: Recordings): Promise<HttpReply> {
  return json(200, await recordings.stop(sessionId, params.recordingId ?? ''));
}

/** `GET .../download`: verifies the stored object, then leads to it for a minute. */
export async function downloadRecording({ params }: Call, sessionId: string, downloads: Downloads): Promise<HttpReply> {
  const { recordingId = '' } = params;
  const reference = await downloads.refer(sessionId, recordingId);
  // Relative, so that it holds under whatever name the client has reached the service.
  const location = `/retrieve/${recordingId}?reference=${reference}`;
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}

import { createHash } from 'node:crypto';
import { ROUTES, type SessionRecord } from '@runcloud/protocol';
import type { Span } from '../flow/page.ts';
import { namesTag } from '../socket/entity-tags.ts';
import type { HttpReply } from '../socket/http.ts';
import { type CallTo, type EarlyCallTo, readIdempotencyKey } from './call.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/**
 * The answer to a start whose `Idempotency-Key` was already used in this session, even if the session has ended: the caller may
 * have lost the first answer. `undefined` for a new start.
 */
export function repeatedStart(
  { owner, params, head }: EarlyCallTo<'startRecording'>,
  { registry, recordings }: Services,
) {
  const place = { accountId: owner.accountId, ...params };
  const known = recordings.repeated(place, head.header('idempotency-key'));
  if (known !== undefined) registry.touch(params.sessionId);
  return known?.then((record) => json(200, record));
}

/** `POST .../recordings`: answers when the first picture is captured. */
export async function startRecording(call: CallTo<'startRecording'>, { recordings }: Services) {
  const key = readIdempotencyKey(call, 'invalid_recording_request');
  call.session.touch();
  const { created, record } = await recordings.start(call.session, key);
  return json(created ? 201 : 200, record);
}

/** A page may always hold 100 recordings, so the answer is bounded by their number, not by bytes. */
export function listRecordings(call: CallTo<'listRecordings'>, services: Services) {
  const { recordings, cursors } = services;
  const { id } = used(call, services);
  const read = (span: Span) => recordings.list(id, span);
  return answerList('recordings', ROUTES.listRecordings, call, cursors, id, read, Number.POSITIVE_INFINITY);
}

export function getRecording(call: CallTo<'getRecording'>, services: Services) {
  return json(200, services.recordings.read(used(call, services).id, call.params.recordingId));
}

export async function stopRecording(call: CallTo<'stopRecording'>, services: Services) {
  return json(200, await services.recordings.stop(used(call, services).id, call.params.recordingId));
}

/** `GET .../download`: verifies the stored object, then redirects to an address that is valid for a minute. */
export async function downloadRecording(call: CallTo<'downloadRecording'>, services: Services): Promise<HttpReply> {
  const { recordingId } = call.params;
  const found = await services.downloads.refer(used(call, services).id, recordingId);
  // Relative, so that it is valid under every name of the service.
  const location = 'url' in found ? found.url : `/retrieve/${recordingId}?reference=${found.reference}`;
  return { status: 302, headers: { Location: location, 'Cache-Control': 'no-store' }, body: '' };
}

/** `GET .../poster`: a small JPEG. As a thumbnail, it does not count as activity of the session. */
export async function recordingPoster(
  { head, session, params }: CallTo<'recordingPoster'>,
  { posters }: Services,
): Promise<HttpReply> {
  const jpeg = await posters.read(session.id, params.recordingId);
  const etag = `"${createHash('sha256').update(jpeg).digest('base64url')}"`;
  const headers = { 'Content-Type': 'image/jpeg', 'Cache-Control': 'private, no-cache', ETag: etag };
  if (namesTag(head.header('if-none-match'), etag)) return { status: 304, headers, body: '', bodyBytes: jpeg.length };
  return { status: 200, headers, body: jpeg };
}

/** Listing its recordings counts as activity of a session. */
function used({ session }: Pick<CallTo<'getRecording'>, 'session'>, { registry }: Services): SessionRecord {
  registry.touch(session.id);
  return session;
}

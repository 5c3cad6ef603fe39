import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '@runcloud/protocol/terms';
import { etagOf } from '../recording/recording-record.ts';
import type { OpenObject } from '../recording/stored-objects.ts';
import { namesTag, rangeStands } from '../socket/entity-tags.ts';
import type { FileBody, HttpHead, HttpReply } from '../socket/http.ts';
import { type Selection, selectRange } from './byte-range.ts';
import type { CallTo } from './call.ts';
import { failureReply } from './reply.ts';
import type { Services } from './services.ts';

/** `GET /retrieve/{recordingId}?reference=...`: the file, for a caller with a signed reference. */
export async function retrieve(
  { head, params: { recordingId }, secret, received }: CallTo<'retrieveRecording'>,
  { downloads, clock }: Pick<Services, 'downloads' | 'clock'>,
): Promise<HttpReply> {
  const object = await downloads.retrieve(recordingId, secret);
  const reply = toReply(head, recordingId, object);
  if (!reply.file) await object.handle.close();
  if (reply.status !== 416) return reply;
  return failureReply(new ServiceError('range_not_satisfiable'), {}, received, clock, reply.headers);
}

function toReply(head: HttpHead, recordingId: string, { handle, byteSize, sha256 }: OpenObject): HttpReply {
  const etag = etagOf(sha256);
  const validators = { ETag: etag, 'Cache-Control': 'private, no-cache', 'Accept-Ranges': 'bytes' };
  if (namesTag(head.header('if-none-match'), etag)) {
    return { status: 304, headers: validators, body: '', bodyBytes: byteSize };
  }
  const selection = selectionOf(head, etag, byteSize);
  if (selection.kind === 'unsatisfiable') {
    return { status: 416, headers: { 'Content-Range': `bytes */${byteSize}`, 'Accept-Ranges': 'bytes' }, body: '' };
  }
  const headers: Record<string, string> = {
    ...validators,
    'Content-Type': 'video/mp4',
    'Content-Disposition': `attachment; filename="${recordingId}.mp4"`,
    // A browser must not execute anything in the file, even if it misdetects its type.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': 'sandbox',
  };
  if (selection.kind === 'whole') return { status: 200, headers, body: '', file: toBody(handle, 0, byteSize) };
  const { start, end } = selection;
  headers['Content-Range'] = `bytes ${start}-${end}/${byteSize}`;
  return { status: 206, headers, body: '', file: toBody(handle, start, end - start + 1) };
}

/** A range applies only to GET, and only if `If-Range` names the current file. */
function selectionOf(head: HttpHead, etag: string, byteSize: number): Selection {
  const counts = head.method === 'GET' && rangeStands(head.header('if-range'), etag);
  return selectRange(counts ? head.header('range') : undefined, byteSize);
}

function toBody(handle: FileHandle, start: number, byteLength: number): FileBody {
  return {
    byteLength,
    read: async (into, offset) => (await handle.read(into, 0, into.byteLength, start + offset)).bytesRead,
    close: () => void handle.close().catch(() => undefined),
  };
}

import type { RecordingDetails, RecordingFailure, RecordingRecord } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/timestamp.ts';
import type { RecordingEventRow, RecordingRow } from '../store/recording-row.ts';
import { adviceFor } from './failure.ts';

/** Strong: it changes with any byte of the file (RFC 9110, section 8.8.1). */
export const etagOf = (sha256: string): string => `"sha256-${sha256}"`;

/** A recording as clients see it. */
export function toRecordingRecord(row: RecordingRow): RecordingRecord {
  const failure = toFailure(row);
  return {
    id: row.id,
    sessionId: row.sessionId,
    organizationId: row.organizationId,
    status: row.status,
    createdAt: isoTimestamp(row.createdAtMs),
    ...(row.startedAtMs === undefined ? {} : { startedAt: isoTimestamp(row.startedAtMs) }),
    ...(row.stoppedAtMs === undefined ? {} : { stoppedAt: isoTimestamp(row.stoppedAtMs) }),
    ...(failure && { failure }),
    ...toFile(row),
  };
}

export function toRecordingDetails(row: RecordingRow, events: readonly RecordingEventRow[]): RecordingDetails {
  return {
    ...toRecordingRecord(row),
    events: events.map(({ id, type, atMs, status, detail }) => ({
      id,
      type,
      at: isoTimestamp(atMs),
      status,
      ...(detail === undefined ? {} : { detail }),
    })),
  };
}

function toFailure({ status, failure, nextAttemptAtMs }: RecordingRow): RecordingFailure | undefined {
  if (status !== 'failed' || !failure) return undefined;
  const { stage, code, message, retryable } = failure;
  return {
    stage,
    code,
    message,
    action: adviceFor(code, retryable),
    retryable,
    ...(nextAttemptAtMs === undefined ? {} : { nextAttemptAt: isoTimestamp(nextAttemptAtMs) }),
  };
}

/** The fields that describe the file, once it can be downloaded. */
function toFile(row: RecordingRow): Partial<RecordingRecord> {
  const { status, byteSize, sha256, durationMs, readyAtMs } = row;
  if (status !== 'ready' || byteSize === undefined || sha256 === undefined) return {};
  return {
    contentType: 'video/mp4',
    byteSize,
    checksum: `sha256:${sha256}`,
    etag: etagOf(sha256),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(readyAtMs === undefined ? {} : { readyAt: isoTimestamp(readyAtMs) }),
    retentionExpiresAt: isoTimestamp(row.retentionExpiresAtMs),
    downloadUrl: `/service/${row.platform}/${row.sessionId}/recordings/${row.id}/download`,
  };
}

import type { RecordingRow } from '../../server/store/recording-row.ts';

/** The row of a recording that begins, for tests that need one. */
export function recordingRow(more: Partial<RecordingRow> = {}): RecordingRow {
  return {
    id: 'rec_1',
    sessionId: 'ses_1',
    accountId: 'acc_acme',
    organizationId: 'org_acme',
    platform: 'ios',
    status: 'starting',
    createdAtMs: 1_000,
    retentionExpiresAtMs: 5_000,
    tries: 0,
    recoveries: 0,
    ...more,
  };
}

/** What a row has of the file once its recording is ready. */
export const READY_FILE = {
  byteSize: 8,
  sha256: 'a'.repeat(64),
  durationMs: 5,
  startedAtMs: 2,
  stoppedAtMs: 7,
  readyAtMs: 9,
} as const;

import { ServiceError } from '@runcloud/protocol/terms';
import type { RecordingRow } from '../store/recording-row.ts';

/**
 * Throws `recording_not_ready`, `recording_failed` or `recording_deleted` if the recording's object cannot be had.
 * @param nowMs wall time
 */
export function refuseUnready(
  { status, failure, nextAttemptAtMs, retentionExpiresAtMs }: RecordingRow,
  nowMs: number,
): void {
  // Past its deadline a recording cannot be had any more, whether the sweep has come by or not.
  const over = retentionExpiresAtMs <= nowMs;
  if (status === 'deleting' || status === 'deleted' || over) throw new ServiceError('recording_deleted');
  if (status === 'failed' && nextAttemptAtMs === undefined) {
    throw new ServiceError('recording_failed', `The recording failed (${failure?.code}): ${failure?.message}`);
  }
  if (status !== 'ready') throw new ServiceError('recording_not_ready', `The recording is ${status}.`);
}

import type { RecordingStatus } from '@runcloud/protocol';

/** Where a recording can go from each status; the store refuses every other move as well. */
export const TRANSITIONS: Readonly<Record<RecordingStatus, readonly RecordingStatus[]>> = {
  starting: ['recording', 'failed'],
  recording: ['finalizing', 'failed'],
  finalizing: ['ready', 'failed'],
  ready: ['deleting'],
  // Back to `finalizing` only while another try is due.
  failed: ['finalizing', 'deleting'],
  deleting: ['deleted'],
  deleted: [],
};

/** Statuses that keep the session from starting another recording. */
export const ACTIVE_STATUSES: readonly RecordingStatus[] = ['starting', 'recording', 'finalizing'];

export const isActive = (status: RecordingStatus): boolean => ACTIVE_STATUSES.includes(status);

/** The fields that decide which transitions are allowed. */
export interface RecordingState {
  readonly status: RecordingStatus;
  readonly nextAttemptAtMs?: number;
}

export function canTransition({ status, nextAttemptAtMs }: RecordingState, to: RecordingStatus): boolean {
  if (status === 'failed' && to === 'finalizing') return nextAttemptAtMs !== undefined;
  return TRANSITIONS[status].includes(to);
}

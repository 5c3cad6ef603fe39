import type { RecordingFailureCode, RecordingStage } from '@runcloud/protocol';
import { ServiceError } from '@runcloud/protocol/terms';
import { TimeoutError } from '../flow/timeout.ts';
import { RecordingFault, type RecordingFaultFields } from '../link/recording-fault.ts';
import type { RecordingFailureRow } from '../store/recording-row.ts';

/** Advice to the caller for each final failure. */
const ADVICE: Readonly<Record<RecordingFailureCode, string>> = {
  capture_start_failed: 'Check that the session is active, then start another recording.',
  capture_interrupted: 'Start another recording.',
  no_frames_captured: 'Start another recording, and let it run until the screen has been shown.',
  encoder_failed: 'Start another recording; report the recording id to the operator if it fails again.',
  container_invalid: 'Start another recording; report the recording id to the operator if it fails again.',
  storage_full: 'Ask the operator to free disk space, then start another recording.',
  storage_error: 'Report the recording id to the operator.',
  device_lost: 'Create a new session, then start another recording.',
};

export function adviceFor(code: RecordingFailureCode, retryable: boolean): string {
  return retryable ? 'Poll the recording: it is tried again at nextAttemptAt.' : ADVICE[code];
}

/**
 * True when the disk, and not the capture, keeps a recording from being finished. Its capture is kept as long as the
 * recording would have been, so that a disk that is repaired later loses nothing.
 */
export function isDiskFailure({ stage, code }: Pick<RecordingFailureRow, 'stage' | 'code'>): boolean {
  return stage !== 'prepare' && stage !== 'capture' && (code === 'storage_full' || code === 'storage_error');
}

/**
 * Converts an error to a recording's failure. Only the message of a `RecordingFault` reaches callers; other messages go
 * to the log.
 */
export function toFault(error: unknown, stage: RecordingStage, code: RecordingFailureCode): RecordingFaultFields {
  if (error instanceof RecordingFault) return error.fields;
  const message =
    error instanceof TimeoutError ? 'It took longer than it may.' : 'The service failed to perform the operation.';
  return { stage, code, message, retryable: stage !== 'prepare' && stage !== 'capture' };
}

/** Why a recording did not begin although its capture did. */
export const UNWRITTEN: RecordingFaultFields = {
  stage: 'store',
  code: 'storage_error',
  message: 'The beginning of the recording could not be written.',
  retryable: false,
};

/** True when the same start may succeed later. */
export function isTransient({ stage, code }: Pick<RecordingFailureRow, 'stage' | 'code'>): boolean {
  return code === 'storage_full' || stage === UNWRITTEN.stage;
}

/** The error for a change that was made and cannot be written yet. */
export const storeUnavailable = () => new ServiceError('store_unavailable', undefined, { retryAfterSeconds: 1 });

/** The answer to a start whose capture did not begin. */
export function startRefusal(id: string, failure: RecordingFailureRow | undefined): ServiceError {
  if (failure?.code === 'storage_full') {
    return new ServiceError('recording_capacity_unavailable', undefined, { retryAfterSeconds: 60 });
  }
  if (failure && isTransient(failure)) return storeUnavailable();
  const reason = failure ? ` (${failure.code}): ${failure.message}` : '.';
  return new ServiceError('recording_failed', `The recording ${id} did not start${reason}`);
}

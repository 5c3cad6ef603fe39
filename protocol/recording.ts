import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { NEXT } from './listing.ts';

/** States of a recording (specification, section 3.1). */
export const RECORDING_STATUSES = [
  'starting',
  'recording',
  'finalizing',
  'ready',
  'failed',
  'deleting',
  'deleted',
] as const;
export type RecordingStatus = (typeof RECORDING_STATUSES)[number];

/** The stage at which a recording failed. */
export const RECORDING_STAGES = ['prepare', 'capture', 'finalize', 'verify', 'store', 'retention'] as const;
export type RecordingStage = (typeof RECORDING_STAGES)[number];

export const RECORDING_FAILURE_CODES = [
  'capture_start_failed',
  'capture_interrupted',
  'no_frames_captured',
  'encoder_failed',
  'container_invalid',
  'storage_full',
  'storage_error',
  'device_lost',
] as const;
export type RecordingFailureCode = (typeof RECORDING_FAILURE_CODES)[number];

export const RECORDING_EVENT_TYPES = [
  'created',
  'capture_started',
  'stop_requested',
  'capture_stopped',
  'container_verified',
  'stored',
  'ready',
  'failed',
  'retry_scheduled',
  'recovered',
  'retention_started',
  'deleted',
] as const;
export type RecordingEventType = (typeof RECORDING_EVENT_TYPES)[number];

/** Why a recording failed (specification, section 7.5). */
export const RecordingFailure = Type.Object(
  {
    stage: oneOf(RECORDING_STAGES),
    code: oneOf(RECORDING_FAILURE_CODES),
    message: Type.String(),
    action: Type.String({ description: 'What the caller can do next' }),
    retryable: Type.Boolean({ description: 'Whether the service retries by itself' }),
    nextAttemptAt: Type.Optional(Type.String({ ...Timestamp, description: 'The time of the next retry' })),
  },
  { additionalProperties: false },
);
export type RecordingFailure = Static<typeof RecordingFailure>;

/** One event in the life cycle of a recording; `status` is the status after it. */
export const RecordingEvent = Type.Object(
  {
    id: Type.String(),
    type: oneOf(RECORDING_EVENT_TYPES),
    at: Timestamp,
    status: oneOf(RECORDING_STATUSES),
    detail: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);
export type RecordingEvent = Static<typeof RecordingEvent>;

const READY_ONLY = {
  contentType: Type.Optional(Type.Literal('video/mp4')),
  byteSize: Type.Optional(Type.Integer({ minimum: 1 })),
  checksum: Type.Optional(Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })),
  etag: Type.Optional(Type.String({ description: 'Strong entity tag of the file, quotes included' })),
  durationMs: Type.Optional(Type.Integer({ minimum: 0 })),
  readyAt: Type.Optional(Timestamp),
  retentionExpiresAt: Type.Optional(
    Type.String({ ...Timestamp, description: 'The time at which the recording is deleted' }),
  ),
  downloadUrl: Type.Optional(Type.String({ description: 'Needs the API key; relative to the base address' })),
};

const FIELDS = {
  id: Type.String(),
  sessionId: Type.String(),
  organizationId: Type.String(),
  status: oneOf(RECORDING_STATUSES),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  stoppedAt: Type.Optional(Timestamp),
  failure: Type.Optional(RecordingFailure),
  ...READY_ONLY,
};

/** A recording as clients see it (specification, section 2.2). The fields of the file are present once it is `ready`. */
export const RecordingRecord = Type.Object(FIELDS, { $id: 'Recording', additionalProperties: false });
export type RecordingRecord = Static<typeof RecordingRecord>;

/** The answer to a read of one recording. */
export const RecordingDetails = Type.Object(
  { ...FIELDS, events: Type.Array(RecordingEvent, { description: 'Oldest first' }) },
  { $id: 'RecordingDetails', additionalProperties: false },
);
export type RecordingDetails = Static<typeof RecordingDetails>;

/** A session's recordings that are not deleted, newest first. */
export const RecordingList = Type.Object(
  { recordings: Type.Array(Type.Object(FIELDS, { additionalProperties: false })), ...NEXT },
  { $id: 'RecordingList', additionalProperties: false },
);
export type RecordingList = Static<typeof RecordingList>;

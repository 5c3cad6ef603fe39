import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { NEXT } from './listing.ts';

/** States of a recording. */
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

/** Why a recording failed. */
export const RecordingFailure = Type.Object(
  {
    stage: oneOf(RECORDING_STAGES, { description: 'What the service was doing' }),
    code: oneOf(RECORDING_FAILURE_CODES, { description: 'What went wrong' }),
    message: text('One sentence for people', 'The disk is full.'),
    action: text('What you can do next', 'Poll the recording: the service tries again.'),
    retryable: Type.Boolean({ description: 'Whether the service itself tries again' }),
    nextAttemptAt: Type.Optional(timestamp('When it tries again')),
  },
  { $id: 'RecordingFailure', additionalProperties: false },
);
export type RecordingFailure = Static<typeof RecordingFailure>;

/** One event in the life cycle of a recording. */
export const RecordingEvent = Type.Object(
  {
    id: id('evt', 'Id of the event'),
    type: oneOf(RECORDING_EVENT_TYPES, { description: 'What happened' }),
    at: timestamp('When it happened'),
    status: oneOf(RECORDING_STATUSES, { description: 'Status of the recording from then on' }),
    detail: Type.Optional(text('More about it, for people', 'The session was released.')),
  },
  { $id: 'RecordingEvent', additionalProperties: false },
);
export type RecordingEvent = Static<typeof RecordingEvent>;

const CHECKSUM = 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const DOWNLOAD = '/service/ios/ses_4kZ1bQx7RmT9vLs2WcHn0e/recordings/rec_4kZ1bQx7RmT9vLs2WcHn0e/download';

const READY_ONLY = {
  contentType: Type.Optional(Type.Literal('video/mp4', { description: 'Media type of the file' })),
  byteSize: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Size of the file in bytes', examples: [1_204_377] }),
  ),
  checksum: Type.Optional(
    Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: '"sha256:" and 64 hex digits of the file',
      examples: [CHECKSUM],
    }),
  ),
  etag: Type.Optional(text('Strong entity tag of the file, quotes included', '"9f86d081884c7d65"')),
  durationMs: Type.Optional(whole('Length of the video in milliseconds', 8_400)),
  readyAt: Type.Optional(timestamp('When the file was complete and verified')),
  retentionExpiresAt: Type.Optional(timestamp('When the recording is deleted')),
  downloadUrl: Type.Optional(
    text('Where to download the file: relative to the base address, and needs the key', DOWNLOAD),
  ),
};

const FIELDS = {
  id: id('rec', 'Id of the recording'),
  sessionId: id('ses', 'The recorded session'),
  organizationId: id('org', 'Organization that the recording belongs to'),
  status: oneOf(RECORDING_STATUSES, { description: 'State of the recording; the file is there while it is `ready`' }),
  createdAt: timestamp('When it was asked for; it is kept for seven days from then on'),
  startedAt: Type.Optional(timestamp('When the first picture was captured')),
  stoppedAt: Type.Optional(timestamp('When capturing ended')),
  failure: Type.Optional(RecordingFailure),
  ...READY_ONLY,
};
const EXAMPLE = {
  id: 'rec_4kZ1bQx7RmT9vLs2WcHn0e',
  sessionId: 'ses_4kZ1bQx7RmT9vLs2WcHn0e',
  organizationId: 'org_4kZ1bQx7RmT9vLs2WcHn0e',
  status: 'ready',
  createdAt: '2026-05-17T09:41:07.123Z',
  startedAt: '2026-05-17T09:41:07.240Z',
  stoppedAt: '2026-05-17T09:41:15.640Z',
  contentType: 'video/mp4',
  byteSize: 1_204_377,
  checksum: CHECKSUM,
  etag: '"9f86d081884c7d65"',
  durationMs: 8_400,
  readyAt: '2026-05-17T09:41:15.912Z',
  retentionExpiresAt: '2026-05-24T09:41:07.123Z',
  downloadUrl: DOWNLOAD,
};
const DESCRIPTION = 'An MP4 file of a display, without sound. The fields of the file are there while it is `ready`.';

/** A recording as clients see it. The fields of the file are present once it is `ready`. */
export const RecordingRecord = Type.Object(FIELDS, {
  $id: 'Recording',
  additionalProperties: false,
  description: DESCRIPTION,
  examples: [EXAMPLE],
});
export type RecordingRecord = Static<typeof RecordingRecord>;

/** The answer to a read of one recording. */
export const RecordingDetails = Type.Object(
  { ...FIELDS, events: Type.Array(RecordingEvent, { description: 'What has happened to it, oldest first' }) },
  {
    $id: 'RecordingDetails',
    additionalProperties: false,
    description: DESCRIPTION,
    examples: [
      {
        ...EXAMPLE,
        events: [
          { id: 'evt_4kZ1bQx7RmT9vLs2WcHn0e', type: 'created', at: '2026-05-17T09:41:07.123Z', status: 'starting' },
        ],
      },
    ],
  },
);
export type RecordingDetails = Static<typeof RecordingDetails>;

/** A session's recordings that are not deleted, newest first. */
export const RecordingList = Type.Object(
  { recordings: Type.Array(RecordingRecord, { description: 'Newest first' }), ...NEXT },
  { $id: 'RecordingList', additionalProperties: false },
);
export type RecordingList = Static<typeof RecordingList>;

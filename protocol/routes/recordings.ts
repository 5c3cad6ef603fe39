import { checkRecordingListQuery, RecordingListQuery } from '../queries.ts';
import { RecordingDetails, RecordingList, RecordingRecord } from '../recording.ts';
import { byKey, get, post, query } from './parts.ts';
import type { Route } from './route.ts';

const RECORDINGS = '/service/{platform}/{sessionId}/recordings';
const RECORD = { description: 'The recording', schema: RecordingRecord } as const;
const VIDEO = { description: 'The file', mediaType: 'video/mp4' } as const;

/** Starting and stopping act on the device first, and commit their own changes to the store. */
export const RECORDING_ROUTES = {
  startRecording: {
    ...post(RECORDINGS, 'Start a recording of the display', 'none'),
    description:
      'Answers when the first picture is on disk. A session has at most one active recording: 409 ' +
      '`recording_already_active` names it.',
    ...byKey('activeSession'),
    headers: {
      'Idempotency-Key':
        '1 to 200 printable characters; a repeated key returns the recording that it started, even after its end',
    },
    answers: { 200: { ...RECORD, description: 'The recording that this Idempotency-Key started' }, 201: RECORD },
  },
  listRecordings: {
    ...get(RECORDINGS, "List a session's recordings, newest first"),
    description: "Also after the session's end. Deleted ones are left out.",
    ...byKey('session'),
    query: query(RecordingListQuery, checkRecordingListQuery, 'invalid_recording_request'),
    answers: { 200: { description: 'Newest first, at most 100', schema: RecordingList } },
  },
  getRecording: {
    ...get(`${RECORDINGS}/{recordingId}`, 'Read a recording with its lifecycle events'),
    description: 'Poll it while it is `finalizing`, or `failed` with a `retryable` failure.',
    ...byKey('session'),
    answers: { 200: { description: 'The recording with its lifecycle events', schema: RecordingDetails } },
  },
  stopRecording: {
    ...post(`${RECORDINGS}/{recordingId}/stop`, 'Stop a recording (idempotent)', 'none'),
    description: 'Repeating it answers the same record. What was captured until then is kept.',
    ...byKey('session'),
    answers: { 200: { ...RECORD, description: 'The recording after finalization, or its state after 15 s' } },
  },
  downloadRecording: {
    ...get(`${RECORDINGS}/{recordingId}/download`, 'Verify the file and redirect to it'),
    description:
      'Compares the stored bytes with their checksum first, then redirects to a short-lived address that needs no ' +
      'key. Follow the redirect; the file is an MP4 without sound.',
    ...byKey('session'),
    answers: {
      200: { ...VIDEO, description: 'The file, to a client that follows the redirect' },
      302: { description: '`Location` is the address of the verified file, for 60 s' },
    },
  },
  recordingPoster: {
    ...get(`${RECORDINGS}/{recordingId}/poster`, 'Read a small JPEG of a recording'),
    description:
      'A picture near the middle of the recording, 640 pixels long at most, as it stands in the video. It is made when it is ' +
      'first asked for and deleted with the recording. Reading it is no activity of the session.',
    ...byKey('session'),
    headers: { 'If-None-Match': "The ETags of the client's copies" },
    answers: {
      200: { description: 'The JPEG', mediaType: 'image/jpeg' },
      304: { description: "The client's copy is current" },
    },
  },
  recordingHistory: {
    ...get(`${RECORDINGS}/{recordingId}/history.vtt`, 'Read the inputs of a recording as WebVTT'),
    description:
      'A metadata track (W3C WebVTT) beside the MP4: one cue for each input that was accepted while the recording ran. Its times ' +
      "are those of the video; its identifier is the entry's `seq`, its payload JSON with `requestId`, `action`, `fields`, " +
      '`status` and `durationMs`.',
    ...byKey('session'),
    answers: { 200: { description: 'The track', mediaType: 'text/vtt' } },
  },
  retrieveRecording: {
    ...get('/retrieve/{recordingId}', 'Read the file; a download redirects here'),
    description:
      'The address is signed, for this one recording, and begins no transfer after 60 s. Ranges work as in RFC 9110.',
    credential: 'reference',
    headers: {
      Range: 'One range of bytes',
      'If-Range': 'The ETag of the file that the range belongs to',
      'If-None-Match': "The ETags of the client's copies",
    },
    answers: {
      200: VIDEO,
      206: { ...VIDEO, description: 'The range' },
      304: { description: "The client's copy is current" },
    },
  },
} as const satisfies Record<string, Route>;

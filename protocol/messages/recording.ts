import { Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import { IdempotencyKey } from '../idempotency-key.ts';
import { LIMITS } from '../limits.ts';
import { pageFields } from '../listing.ts';
import { clientMessage } from './define-message.ts';

const RecordingId = Type.String({ minLength: 1, maxLength: 64 });

export const recordingStart = clientMessage('recording.start', {
  requestId: RequestId,
  idempotencyKey: Type.Optional(IdempotencyKey),
});

export const recordingStop = clientMessage('recording.stop', { requestId: RequestId, recordingId: RecordingId });

export const recordingGet = clientMessage('recording.get', { requestId: RequestId, recordingId: RecordingId });

export const recordingList = clientMessage('recording.list', {
  requestId: RequestId,
  ...pageFields(LIMITS.recordingsListed),
});

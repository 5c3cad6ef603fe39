import { Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import { LIMITS } from '../limits.ts';
import { pageFields } from '../listing.ts';
import { IdempotencyKey } from '../recording.ts';
import { clientMessage } from './define-message.ts';

const RecordingId = Type.String({ minLength: 1, maxLength: 64 });

export const recordingStart = clientMessage(
  'recording.start',
  { role: 'control', answered: true },
  { requestId: RequestId, idempotencyKey: Type.Optional(IdempotencyKey) },
);

export const recordingStop = clientMessage(
  'recording.stop',
  { role: 'control', answered: true },
  { requestId: RequestId, recordingId: RecordingId },
);

export const recordingGet = clientMessage(
  'recording.get',
  { role: 'view', answered: true },
  { requestId: RequestId, recordingId: RecordingId },
);

export const recordingList = clientMessage(
  'recording.list',
  { role: 'view', answered: true },
  { requestId: RequestId, ...pageFields(LIMITS.recordingsListed) },
);

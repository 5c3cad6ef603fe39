import { Type } from '@sinclair/typebox';
import { RequestId } from '../actions/define-action.ts';
import { LIMITS } from '../limits.ts';
import { pageFields } from '../listing.ts';
import { clientMessage } from './message.ts';

/** 1 to 200 printable characters (specification, section 4.1). */
export const IdempotencyKey = Type.String({
  pattern: `^[\\x20-\\x7e]{1,${LIMITS.idempotencyKeyCharacters.max}}$`,
  words: `1 to ${LIMITS.idempotencyKeyCharacters.max} printable characters`,
});

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

import { Type } from '@sinclair/typebox';
import { clientMessage, serverMessage } from './define-message.ts';

const Id = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Measures the round trip and the offset between the clocks. */
export const ping = clientMessage('ping', { id: Id });

export const pong = serverMessage('pong', {
  id: Id,
  serverTimeUs: Type.Integer({ description: 'Microseconds since the Unix epoch' }),
});

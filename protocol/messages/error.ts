import { Type } from '@sinclair/typebox';
import { serverMessage } from './define-message.ts';

/** A message that could not be answered otherwise. */
export const error = serverMessage('error', {
  code: Type.String(),
  message: Type.String(),
  requestId: Type.Optional(Type.String()),
});

import { Type } from '@sinclair/typebox';
import { RequestId, TimeoutMs } from '../actions/define-action.ts';
import { clientMessage } from './define-message.ts';

/** Answered by a `result` whose `result.image` is a PNG. */
export const screenshot = clientMessage('screenshot', { requestId: RequestId, timeoutMs: Type.Optional(TimeoutMs) });

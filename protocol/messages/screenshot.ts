import { Type } from '@sinclair/typebox';
import { RequestId, TimeoutMs } from '../actions/define-action.ts';
import { clientMessage } from './define-message.ts';

/** When the picture is taken. */
export const Settled = Type.Boolean({
  description: 'Wait until the picture stands still, at most 2 seconds; default: take it as it is',
});

/** Answered by a `result` whose `result.image` is a PNG. */
export const screenshot = clientMessage('screenshot', {
  requestId: RequestId,
  timeoutMs: Type.Optional(TimeoutMs),
  settled: Type.Optional(Settled),
});

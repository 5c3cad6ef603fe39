import { type Static, Type } from '@sinclair/typebox';
import { RequestId, TimeoutMs } from '../actions/define-action.ts';
import type { InteractionRequest } from '../actions/index.ts';
import { Phase, Points } from '../actions/steps.ts';
import { oneOf } from '../compile-check.ts';
import { clientMessage } from './define-message.ts';

/** Which stages a client wants to hear of: every one, or the terminal acknowledgement alone. */
export const Acks = oneOf(['all', 'final']);
export type Acks = Static<typeof Acks>;

/** An interaction with the message's own fields taken off; the body is checked by its action's rules. */
export interface InteractionMessage {
  readonly type: 'interaction';
  readonly acks: Acks;
  readonly request: InteractionRequest;
}

/** Ends a request by its id, also one whose message is still on its way. */
export const cancel = clientMessage('cancel', {
  requestId: RequestId,
  action: Type.Optional(Type.String({ maxLength: 64 })),
});

/** One step of a live gesture. Moves that wait are replaced by newer ones; `begin` and `end` never are. */
export const pointer = clientMessage('pointer', {
  requestId: RequestId,
  phase: Phase,
  points: Points,
  timeoutMs: Type.Optional(TimeoutMs),
  acks: Type.Optional(Acks),
});
export type PointerMessage = Static<typeof pointer.schema>;

import { Type } from '@sinclair/typebox';
import { Acknowledgement } from '../acknowledgement.ts';
import { timestamp } from '../fields.ts';
import { Observed } from '../observed.ts';
import { serverMessage } from './define-message.ts';

/** The stages of a request, in this order. */

export const accepted = serverMessage('accepted', {
  requestId: Type.String(),
  acceptedAt: timestamp('When the service accepted the request'),
  queued: Type.Integer({ minimum: 0, description: 'Number of requests ahead of this one in the queue' }),
});

export const dispatched = serverMessage('dispatched', {
  requestId: Type.String(),
  inputSeq: Type.Integer({
    minimum: 0,
    description: 'Screen packets carry this number once the device has received the input',
  }),
  steps: Type.Optional(Type.Integer({ minimum: 0, description: 'Gesture steps done so far' })),
});

/** What was seen of the effect of a request that asked for it and completed; it comes after its `result`. */
export const observed = Type.Composite(
  [Type.Object({ type: Type.Literal('observed'), requestId: Type.String() }), Type.Object(Observed.properties)],
  { $id: 'ServerMessage_observed' },
);

/** The one terminal message of a request. */
export const result = Type.Composite(
  [Type.Object({ type: Type.Literal('result') }), Type.Omit(Acknowledgement, ['observed'])],
  {
    $id: 'ServerMessage_result',
  },
);

import { type Static, Type } from '@sinclair/typebox';
import { RequestId } from './actions/define-action.ts';
import { oneOf } from './compile-check.ts';
import { ErrorBody } from './error-body.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { Observed } from './observed.ts';
import { PLATFORMS } from './platforms.ts';

export const OUTCOMES = ['completed', 'failed', 'cancelled', 'timed_out'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The answer to an interaction, and the envelope of every failure. */
export const Acknowledgement = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the operation completed' }),
    requestId: text("The request's id: your own, or a new one", 'req_4kZ1bQx7RmT9vLs2WcHn0e'),
    sessionId: Type.Optional(id('ses', 'Session that the request named')),
    platform: Type.Optional(oneOf(PLATFORMS, { description: 'Platform that the request named' })),
    action: Type.Optional(text('Operation that the request named', 'tap')),
    device: Type.Optional(id('dev', 'Device of the lease; only in failures of open-url')),
    leaseId: Type.Optional(id('lse', 'Lease of the session; only in failures of open-url')),
    status: oneOf(OUTCOMES, {
      description: 'How it ended. `completed`: the device has taken the input, not that the app has reacted',
    }),
    acceptedAt: timestamp('When the service accepted the request'),
    completedAt: timestamp('When it ended'),
    durationMs: whole('Milliseconds from `acceptedAt` to `completedAt`', 12),
    result: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'What was done, as the action says it: `pointCount` of a tap, `characterCount` of a typed text',
        examples: [{ pointCount: 1 }],
      }),
    ),
    error: Type.Optional(ErrorBody),
    observed: Type.Optional(Observed),
  },
  {
    $id: 'Acknowledgement',
    additionalProperties: false,
    description: 'How an operation ended',
    examples: [
      {
        ok: true,
        requestId: 'tap-1',
        sessionId: 'ses_4kZ1bQx7RmT9vLs2WcHn0e',
        platform: 'ios',
        action: 'tap',
        status: 'completed',
        acceptedAt: '2026-05-17T09:41:07.123Z',
        completedAt: '2026-05-17T09:41:07.135Z',
        durationMs: 12,
        result: { pointCount: 1 },
      },
    ],
  },
);
export type Acknowledgement = Static<typeof Acknowledgement>;

/** The answer to a cancellation over REST. */
export const CancelledInteraction = Type.Object(
  {
    ok: Type.Literal(true, { description: 'The request was understood' }),
    requestId: Type.String({ ...RequestId, description: 'The id of the request to cancel' }),
    cancelled: Type.Boolean({ description: 'Whether the interaction was queued or running' }),
  },
  { $id: 'CancelledInteraction', additionalProperties: false },
);

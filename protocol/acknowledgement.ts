import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { ErrorBody } from './error-body.ts';
import { PLATFORMS } from './platforms.ts';

export const OUTCOMES = ['completed', 'failed', 'cancelled', 'timed_out'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{3}Z$' });

/** The answer to an interaction (specification, section 2.5) and the envelope of every failure (section 7.1). */
export const Acknowledgement = Type.Object(
  {
    ok: Type.Boolean(),
    requestId: Type.String(),
    sessionId: Type.Optional(Type.String()),
    platform: Type.Optional(oneOf(PLATFORMS)),
    action: Type.Optional(Type.String()),
    /** Only in failures of `open-url`, if the session was found. */
    device: Type.Optional(Type.String({ description: 'Device of the lease; only in failures of open-url' })),
    leaseId: Type.Optional(Type.String({ description: 'Only in failures of open-url' })),
    status: oneOf(OUTCOMES),
    acceptedAt: Timestamp,
    completedAt: Timestamp,
    durationMs: Type.Integer({ minimum: 0 }),
    result: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    error: Type.Optional(ErrorBody),
  },
  { $id: 'Acknowledgement', additionalProperties: false },
);
export type Acknowledgement = Static<typeof Acknowledgement>;

/** The answer to a cancellation over REST. */
export const CancelledInteraction = Type.Object(
  { ok: Type.Literal(true), requestId: Type.String(), cancelled: Type.Boolean() },
  { $id: 'CancelledInteraction', additionalProperties: false },
);

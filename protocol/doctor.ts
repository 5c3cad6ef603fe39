import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';

/** Whether a thing that devices need is on the host; `not here` where it could not be, or need not. */
export const FINDING_STATES = ['ready', 'missing', 'not here'] as const;

/** One thing that was looked at. */
const Finding = Type.Object(
  {
    what: Type.String(),
    state: oneOf(FINDING_STATES),
    detail: Type.String({ description: 'What was found, in one line' }),
    fix: Type.Optional(Type.String({ description: 'What puts it right, where something is missing' })),
  },
  { additionalProperties: false },
);
export type Finding = Static<typeof Finding>;

/** What the host of the service offers, and what it lacks; for the operator. */
export const DoctorReport = Type.Object(
  { findings: Type.Array(Finding) },
  { $id: 'DoctorReport', additionalProperties: false },
);
export type DoctorReport = Static<typeof DoctorReport>;

import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';

/** State of a prerequisite on the host; `not here`: it cannot be, or need not be, on this kind of host. */
export const FINDING_STATES = ['ready', 'missing', 'not here'] as const;

/** The result of one check. */
const Finding = Type.Object(
  {
    what: Type.String(),
    state: oneOf(FINDING_STATES),
    detail: Type.String({ description: 'The finding in one line' }),
    fix: Type.Optional(Type.String({ description: 'How to fix it, if something is missing' })),
  },
  { additionalProperties: false },
);
export type Finding = Static<typeof Finding>;

/** The prerequisites of devices that the host has or lacks; for the operator. */
export const DoctorReport = Type.Object(
  { findings: Type.Array(Finding) },
  { $id: 'DoctorReport', additionalProperties: false },
);
export type DoctorReport = Static<typeof DoctorReport>;

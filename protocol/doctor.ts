import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { text } from './fields.ts';

/** State of a prerequisite on the host; `unavailable`: it cannot be, or need not be, on this kind of host. */
export const FINDING_STATES = ['ready', 'missing', 'unavailable'] as const;

/** The result of one check. */
const Finding = Type.Object(
  {
    what: text('What was looked for', 'simctl'),
    state: oneOf(FINDING_STATES, {
      description: '`unavailable`: this kind of host cannot have it, or does not need it',
    }),
    detail: text('The finding in one line', 'Xcode 16.2'),
    fix: Type.Optional(text('How to fix it, if something is missing', 'Install Xcode from the App Store.')),
  },
  { $id: 'Finding', additionalProperties: false },
);
export type Finding = Static<typeof Finding>;

/** The prerequisites of devices that the host has or lacks; for the operator. */
export const DoctorReport = Type.Object(
  { findings: Type.Array(Finding, { description: 'One for each check' }) },
  { $id: 'DoctorReport', additionalProperties: false },
);
export type DoctorReport = Static<typeof DoctorReport>;

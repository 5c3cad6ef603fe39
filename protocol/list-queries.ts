import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { LIMITS } from './limits.ts';
import { pageFields, queryCheck } from './listing.ts';
import { PLATFORMS } from './platforms.ts';
import { SESSION_STATUSES } from './session-status.ts';

/** Query of the list of sessions. */
export const SessionListQuery = Type.Object(
  {
    ...pageFields(LIMITS.listed),
    platform: Type.Optional(oneOf(PLATFORMS, { description: 'Only sessions of this platform' })),
    status: Type.Optional(oneOf(SESSION_STATUSES, { description: 'Only sessions in this state' })),
  },
  { $id: 'SessionListQuery', additionalProperties: false },
);
export type SessionListQuery = Static<typeof SessionListQuery>;

// PURE lets a bundler drop the check where it is not used.
export const checkSessionListQuery = /* @__PURE__ */ queryCheck(SessionListQuery);

/** Query of the list of a session's recordings. */
export const RecordingListQuery = Type.Object(pageFields(LIMITS.recordingsListed), {
  $id: 'RecordingListQuery',
  additionalProperties: false,
});
export type RecordingListQuery = Static<typeof RecordingListQuery>;

export const checkRecordingListQuery = /* @__PURE__ */ queryCheck(RecordingListQuery);

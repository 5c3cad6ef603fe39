import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { LIMITS } from './limits.ts';
import { pageFields, queryCheck } from './listing.ts';
import { Settled } from './messages/screenshot.ts';
import { PLATFORMS } from './platforms.ts';
import { SESSION_STATUSES } from './session-status.ts';
import { UiFormatField } from './ui-format.ts';

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

/** Query of a screenshot. */
export const ScreenshotQuery = Type.Object(
  {
    settled: Type.Optional(Settled),
    format: Type.Optional(
      oneOf(['png', 'jpeg'], {
        description:
          '`png`: pixel by pixel; `jpeg`: 768 pixels at most on its long edge, for language models; default: `png`',
      }),
    ),
  },
  { $id: 'ScreenshotQuery', additionalProperties: false },
);

export const checkScreenshotQuery = /* @__PURE__ */ queryCheck(ScreenshotQuery);

/** Query of what is on the screen. */
export const UiQuery = Type.Object(
  { format: Type.Optional(UiFormatField) },
  { $id: 'UiQuery', additionalProperties: false },
);

export const checkUiQuery = /* @__PURE__ */ queryCheck(UiQuery);

/** Query of the routes that send input. */
export const InputQuery = Type.Object(
  {
    force: Type.Optional(oneOf(['true'], { description: 'Act although somebody else has control, without taking it' })),
  },
  { $id: 'InputQuery', additionalProperties: false },
);

export const checkInputQuery = /* @__PURE__ */ queryCheck(InputQuery);

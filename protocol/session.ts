import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from './compile-check.ts';
import { ControlState } from './control.ts';
import { DisplayRecord } from './display.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { NEXT } from './listing.ts';
import { ORIENTATIONS, PLATFORMS } from './platforms.ts';
import { SESSION_STATUSES } from './session-status.ts';

const DeviceRecord = Type.Object(
  {
    id: id('dev', 'Id of the device'),
    model: text('Name of the model', 'Virtual iPhone'),
    osVersion: text('Version of the operating system', '1.0'),
    width: whole('Width of the (active) display in pixels, in portrait', 590),
    height: whole('Height of the (active) display in pixels, in portrait', 1_280),
    scale: Type.Number({ description: 'Pixels of one point of the layout', examples: [1.5] }),
    driver: text('What drives the device; `virtual` for the embedded one', 'virtual'),
    displays: Type.Optional(
      Type.Array(DisplayRecord, {
        description: 'All displays of a device that has several, the main one first',
      }),
    ),
  },
  { $id: 'Device' },
);

/** A session as clients see it. */
export const SessionRecord = Type.Object(
  {
    id: id('ses', 'Id of the session; it also works for its recordings after its end'),
    sessionId: id('ses', 'Same as `id`'),
    platform: oneOf(PLATFORMS, { description: 'Platform of the device' }),
    status: oneOf(SESSION_STATUSES, {
      description: 'State of the session; it takes input while it is `active`',
      examples: ['active'],
    }),
    url: text(
      'Signed address of the viewer, which controls the session. Keep it secret, like a key',
      'http://127.0.0.1:8787/view/ses_4kZ1bQx7RmT9vLs2WcHn0e?token=...',
    ),
    device: DeviceRecord,
    leaseId: id('lse', "Id of the session's lease of the device"),
    orientation: oneOf(ORIENTATIONS, { description: 'Orientation of the display now; after the end, the last one' }),
    createdAt: timestamp('When the session was created'),
    expiresAt: timestamp('When the session ends, if nothing more happens in it'),
    inactivityTimeoutMs: whole('The session ends after this time without activity', 600_000),
    hardTimeoutMs: whole('The session ends after this time in any case', 7_200_000),
    installAssets: Type.Array(Type.String(), {
      description: 'Ids of the apps that were installed at the start',
      examples: [['ast_4kZ1bQx7RmT9vLs2WcHn0e']],
    }),
    labels: Type.Record(Type.String(), Type.String(), {
      description: 'Your own labels, as they were given at the creation',
      examples: [{ team: 'checkout', run: '1204' }],
    }),
    control: Type.Optional(ControlState),
    releasedAt: Type.Optional(timestamp('When the session ended; absent until then')),
    releaseReason: Type.Optional(text('Why the session ended; absent until then', 'inactivity_timeout')),
  },
  { $id: 'Session', additionalProperties: false, description: 'A lease of one device' },
);
export type SessionRecord = Static<typeof SessionRecord>;

export const SessionList = Type.Object(
  { sessions: Type.Array(SessionRecord, { description: 'Newest first' }), ...NEXT },
  { $id: 'SessionList', additionalProperties: false },
);
export type SessionList = Static<typeof SessionList>;

import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { oneOf } from './compile-check.ts';
import { DisplayRecord } from './display.ts';
import { NEXT } from './listing.ts';
import { ORIENTATIONS, PLATFORMS } from './platforms.ts';
import { SESSION_STATUSES } from './session-status.ts';

const DeviceRecord = Type.Object({
  id: Type.String(),
  model: Type.String(),
  osVersion: Type.String(),
  width: Type.Integer({ description: 'Width of the (active) display in pixels, in portrait' }),
  height: Type.Integer(),
  scale: Type.Number(),
  driver: Type.String({ description: '"virtual" for the embedded device' }),
  displays: Type.Optional(
    Type.Array(DisplayRecord, {
      description: 'Of a device with more than one display: all of them, the main one first',
    }),
  ),
});

/** A session as clients see it (specification, section 2.1). */
export const SessionRecord = Type.Object(
  {
    id: Type.String(),
    sessionId: Type.String({ description: 'Same as id' }),
    platform: oneOf(PLATFORMS),
    status: oneOf(SESSION_STATUSES),
    url: Type.String({ description: 'Signed address of the viewer; keep it like a key' }),
    device: DeviceRecord,
    leaseId: Type.String(),
    orientation: oneOf(ORIENTATIONS),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    inactivityTimeoutMs: Type.Integer(),
    hardTimeoutMs: Type.Integer(),
    installAssets: Type.Array(Type.String()),
    labels: Type.Record(Type.String(), Type.String()),
    releasedAt: Type.Optional(Timestamp),
    releaseReason: Type.Optional(Type.String()),
  },
  { $id: 'Session', additionalProperties: false },
);
export type SessionRecord = Static<typeof SessionRecord>;

export const SessionList = Type.Object(
  { sessions: Type.Array(SessionRecord), ...NEXT },
  { $id: 'SessionList', additionalProperties: false },
);
export type SessionList = Static<typeof SessionList>;

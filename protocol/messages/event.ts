import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '../fault.ts';
import { ORIENTATIONS } from '../platforms.ts';
import { RecordingRecord } from '../recording.ts';
import { serverMessage } from './message.ts';

/** Something that happened to the session, told to every socket of it. */
export const event = Type.Union([
  serverMessage('event', { event: Type.Literal('session.expiring'), inMs: Type.Integer({ minimum: 0 }) }),
  serverMessage('event', { event: Type.Literal('session.ended'), reason: Type.String() }),
  serverMessage('event', { event: Type.Literal('orientation'), orientation: oneOf(ORIENTATIONS) }),
  serverMessage('event', { event: Type.Literal('recording'), recording: RecordingRecord }),
  serverMessage('event', {
    event: Type.Literal('viewers'),
    viewers: Type.Object({ control: Type.Integer(), view: Type.Integer() }),
  }),
]);
export type Event = Static<typeof event>;

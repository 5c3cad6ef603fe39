import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
import { ControlState } from '../control.ts';
import { DisplayRecord } from '../display.ts';
import { ORIENTATIONS } from '../platforms.ts';
import { RecordingRecord } from '../recording.ts';

const told = <Fields extends TProperties>(fields: Fields) => Type.Object({ type: Type.Literal('event'), ...fields });

/** An event of the session, sent to all of its sockets. */
export const event = Type.Union(
  [
    told({ event: Type.Literal('session.expiring'), inMs: Type.Integer({ minimum: 0 }) }),
    told({ event: Type.Literal('session.ended'), reason: Type.String() }),
    told({ event: Type.Literal('orientation'), orientation: oneOf(ORIENTATIONS) }),
    told({ event: Type.Literal('displays'), displays: Type.Array(DisplayRecord) }),
    /** Without the text, which viewers must not read. */
    told({ event: Type.Literal('clipboard') }),
    /** Without the report, which is in the log: viewers must not read it. */
    told({ event: Type.Literal('crash'), process: Type.String(), seq: Type.Integer({ minimum: 1 }) }),
    told({ event: Type.Literal('control'), control: ControlState }),
    told({ event: Type.Literal('recording'), recording: RecordingRecord }),
    told({
      event: Type.Literal('viewers'),
      viewers: Type.Object({ control: Type.Integer(), view: Type.Integer() }),
    }),
  ],
  { $id: 'ServerMessage_event' },
);
export type Event = Static<typeof event>;

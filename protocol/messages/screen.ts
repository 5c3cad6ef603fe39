import { Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
import { DisplayName } from '../display.ts';
import { LIMITS } from '../limits.ts';
import { SCREEN_ENCODINGS } from '../screen-packet.ts';
import { clientMessage } from './define-message.ts';

/** The number of a stream on its socket. */
export const StreamId = Type.Integer({ minimum: 0, maximum: 0xffff_ffff });
const Sequence = Type.Integer({ minimum: 0, maximum: 0xffff_ffff });
export const Encoding = oneOf(SCREEN_ENCODINGS);

export const screenStart = clientMessage('screen.start', {
  encodings: Type.Array(Encoding, {
    minItems: 1,
    maxItems: SCREEN_ENCODINGS.length,
    uniqueItems: true,
    words: `a list of different encodings out of ${SCREEN_ENCODINGS.join(', ')}`,
  }),
  maxFps: Type.Optional(Type.Integer({ minimum: LIMITS.screenFps.min, maximum: LIMITS.screenFps.max })),
  maxLongEdge: Type.Optional(
    Type.Integer({ minimum: LIMITS.screenLongEdgePixels.min, maximum: LIMITS.screenLongEdgePixels.max }),
  ),
  quality: Type.Optional(Type.Integer({ minimum: LIMITS.screenQuality.min, maximum: LIMITS.screenQuality.max })),
  /** Absent: whichever display is active, now and later. */
  display: Type.Optional(DisplayName),
});

/** The newest packet that the viewer decoded or showed. */
export const screenAck = clientMessage('screen.ack', { streamId: StreamId, seq: Sequence });

export const screenKeyframe = clientMessage('screen.keyframe', { streamId: StreamId });

export const screenStop = clientMessage('screen.stop', { streamId: StreamId });

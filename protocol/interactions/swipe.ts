import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import { actionSchema, defineAction, milliseconds } from './action.ts';
import { freshPoint, Point } from './point.ts';

export const swipe = defineAction({
  schema: actionSchema('swipe', {
    from: Point,
    to: Point,
    durationMs: Type.Optional(milliseconds(LIMITS.swipeDurationMs, 'Milliseconds from touching to lifting')),
  }),
  complete: ({ from, to, durationMs = LIMITS.swipeDurationMs.default }) => ({
    action: 'swipe' as const,
    from: freshPoint(from),
    to: freshPoint(to),
    durationMs,
  }),
});

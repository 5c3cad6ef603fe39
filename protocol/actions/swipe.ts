import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { defineAction, milliseconds, PointCount } from './define-action.ts';
import { freshPoint, Point } from './point.ts';

const DurationMs = milliseconds(ACTION_LIMITS.swipeDurationMs, 'Milliseconds from touching to lifting');

export const swipe = defineAction({
  name: 'swipe',
  summary: 'Move a finger from one point to another',
  example: { from: { x: 0.5, y: 0.8 }, to: { x: 0.5, y: 0.2 }, durationMs: 500 },
  fields: { from: Point, to: Point, durationMs: Type.Optional(DurationMs) },
  result: { pointCount: PointCount, durationMs: DurationMs },
  complete: ({ from, to, durationMs = ACTION_LIMITS.swipeDurationMs.default }) => ({
    from: freshPoint(from),
    to: freshPoint(to),
    durationMs,
  }),
});

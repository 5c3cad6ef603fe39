import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import type { Controls } from '../platforms.ts';
import type { Lack } from './action.ts';
import { defineAction, PointCount } from './define-action.ts';
import { freshPoint } from './point.ts';
import { GestureStep, stepsFault } from './steps.ts';

export const gesture = defineAction({
  name: 'gesture',
  summary: 'Move one or two fingers, step by step',
  example: {
    steps: [
      {
        phase: 'begin',
        points: [
          { x: 0.4, y: 0.5 },
          { x: 0.6, y: 0.5 },
        ],
        delayMs: 16,
      },
      {
        phase: 'move',
        points: [
          { x: 0.3, y: 0.5 },
          { x: 0.7, y: 0.5 },
        ],
        delayMs: 16,
      },
      {
        phase: 'end',
        points: [
          { x: 0.2, y: 0.5 },
          { x: 0.8, y: 0.5 },
        ],
      },
    ],
  },
  fields: {
    steps: Type.Array(GestureStep, {
      minItems: ACTION_LIMITS.gestureSteps.min,
      maxItems: ACTION_LIMITS.gestureSteps.max,
      description: 'The first is `begin`, the last `end`, all between `move`',
    }),
  },
  result: {
    pointCount: PointCount,
    // A live gesture may have more steps than one that is sent in one request.
    dispatchedSteps: Type.Integer({ minimum: 0 }),
  },
  rules: ({ steps }, timeoutMs) => stepsFault(steps, timeoutMs),
  complete: ({ steps }) => ({
    steps: steps.map(({ phase, points, delayMs = 0 }) => ({
      phase,
      points: points.map(freshPoint),
      delayMs: delayMs + 0,
    })),
  }),
  lack: ({ steps }, can) => touchLack(steps[0]?.points.length ?? 1, can),
  long: true,
});

/** The capability that a device lacks for free gestures or live pointers with this number of fingers. */
export function touchLack(fingers: number, can: Controls): Lack | undefined {
  if (!can.freeGestures) return { what: 'Gestures of several steps are', instead: '"tap" and "swipe" are' };
  if (fingers > can.fingers) return { what: 'Gestures of two fingers are' };
  return undefined;
}

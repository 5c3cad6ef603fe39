import { Type } from '@sinclair/typebox';
import { LIMITS } from '../limits.ts';
import type { Controls } from '../platforms.ts';
import type { Given, Lack } from './action.ts';
import { defineAction, PointCount } from './define-action.ts';
import { freshPoint } from './point.ts';
import { GestureStep, stepsFault } from './steps.ts';

export const gesture = defineAction({
  name: 'gesture',
  summary: 'Move one or two fingers, step by step',
  fields: { steps: Type.Array(GestureStep, { minItems: LIMITS.gestureSteps.min, maxItems: LIMITS.gestureSteps.max }) },
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
  call: (steps: readonly Given<GestureStep>[]) => ({ steps }),
  command: {
    name: 'gesture',
    examples: ['gesture pinch.json', 'gesture - < pinch.json'],
    arguments: [
      {
        name: 'file',
        words: 'JSON list of { phase, points, delayMs? }; - reads standard input',
        notation: 'JSON file',
      },
    ],
  },
});

/** The capability that a device lacks for free gestures or live pointers with this number of fingers. */
export function touchLack(fingers: number, can: Controls): Lack | undefined {
  if (!can.freeGestures) return { what: 'Gestures of several steps are', instead: '"tap" and "swipe" are' };
  if (fingers > can.fingers) return { what: 'Gestures of two fingers are' };
  return undefined;
}

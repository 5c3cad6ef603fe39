import { type Static, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { oneOf } from '../compile-check.ts';
import { type Fault, fault } from '../fault.ts';
import { milliseconds } from './define-action.ts';
import { Point } from './point.ts';

export const POINTER_PHASES = ['begin', 'move', 'end'] as const;
export type PointerPhase = (typeof POINTER_PHASES)[number];

export const Phase = oneOf(POINTER_PHASES, { description: 'Whether the fingers touch, move or lift' });

export const Points = Type.Array(Point, {
  minItems: ACTION_LIMITS.gesturePoints.min,
  maxItems: ACTION_LIMITS.gesturePoints.max,
  words: 'a list of one or two points',
  description: 'Positions of the fingers; every step has the same number',
});

/** One step of a gesture. */
export const GestureStep = Type.Object(
  {
    phase: Phase,
    points: Points,
    delayMs: Type.Optional(milliseconds(ACTION_LIMITS.gestureDelayMs, 'Milliseconds to wait before the next step')),
  },
  { $id: 'GestureStep', additionalProperties: false },
);
export type GestureStep = Static<typeof GestureStep>;

/** The first step that breaks the order, the number of fingers or the time that all of them have. */
export function stepsFault(steps: readonly GestureStep[], timeoutMs: number): Fault | undefined {
  const last = steps.length - 1;
  const pointCount = steps[0]?.points.length;
  let delaySumMs = 0;
  for (const [index, { phase, points, delayMs = 0 }] of steps.entries()) {
    const expected = index === 0 ? 'begin' : index === last ? 'end' : 'move';
    if (phase !== expected) return fault(`steps[${index}].phase`, `must be ${expected}`);
    if (points.length !== pointCount) {
      return fault(`steps[${index}].points`, `must be a list of ${pointCount}, as many points as in the first step`);
    }
    if (index === last && delayMs !== 0) {
      return fault(`steps[${index}].delayMs`, 'must be 0 or absent in the last step');
    }
    delaySumMs += delayMs;
  }
  return delaySumMs > timeoutMs
    ? fault('steps', `have delays of ${delaySumMs} ms in all, more than the timeout of ${timeoutMs} ms`)
    : undefined;
}

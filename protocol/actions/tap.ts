import { defineAction, PointCount } from './define-action.ts';
import { Coordinate } from './point.ts';

export const tap = defineAction({
  name: 'tap',
  summary: 'Tap the screen',
  example: { x: 0.39, y: 0.92 },
  fields: { x: Coordinate, y: Coordinate },
  result: { pointCount: PointCount },
  // The most frequent action: a loop over its fields would be slower.
  complete: ({ x, y }) => ({ x: x + 0, y: y + 0 }),
  brief: true,
});

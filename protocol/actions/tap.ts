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
  call: (x: number, y: number) => ({ x, y }),
  command: {
    name: 'tap',
    examples: ['tap 0.5 0.5', 'tap 0.39 0.92 --json'],
    arguments: [
      { name: 'x', words: 'fraction of the width, 0 to 1 from the left', notation: 'number' },
      { name: 'y', words: 'fraction of the height, 0 to 1 from the top', notation: 'number' },
    ],
  },
});

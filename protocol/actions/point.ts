import { Type } from '@sinclair/typebox';
import type { Point as PlainPoint } from './action.ts';

export const Coordinate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Fraction of the display in its current orientation: 0 is the left or top edge, 1 the last pixel',
  examples: [0.5],
});

/** A normalised position on the display in its current orientation. */
export const Point = Type.Object(
  { x: Coordinate, y: Coordinate },
  { $id: 'Point', additionalProperties: false, description: 'A position on the display' },
);
export type Point = PlainPoint;

/** A copy without negative zero, which would compare unequal in a repeated request. */
export const freshPoint = ({ x, y }: PlainPoint): PlainPoint => ({ x: x + 0, y: y + 0 });

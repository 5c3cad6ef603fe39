import { Type } from '@sinclair/typebox';
import type { Point as PlainPoint } from './action.ts';

export const Coordinate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Fraction of the display in its current orientation: 0 is the left or top edge, 1 the last pixel',
});

/** A normalised position on the display in its current orientation (specification, section 2.3). */
export const Point = Type.Object({ x: Coordinate, y: Coordinate }, { additionalProperties: false });
export type Point = PlainPoint;

/** A copy without negative zero, which would compare unequal in a repeated request. */
export const freshPoint = ({ x, y }: PlainPoint): PlainPoint => ({ x: x + 0, y: y + 0 });

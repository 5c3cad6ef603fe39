import { actionSchema, defineAction } from './action.ts';
import { Coordinate } from './point.ts';

export const tap = defineAction({
  schema: actionSchema('tap', { x: Coordinate, y: Coordinate }),
  complete: ({ x, y }) => ({ action: 'tap' as const, x: x + 0, y: y + 0 }),
  brief: true,
});

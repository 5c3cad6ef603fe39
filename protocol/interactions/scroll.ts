import { Type } from '@sinclair/typebox';
import { fault } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import { actionSchema, defineAction } from './action.ts';
import { Coordinate } from './point.ts';

const Delta = Type.Number({
  minimum: LIMITS.scrollDelta.min,
  maximum: LIMITS.scrollDelta.max,
  description: 'A share of the viewport; positive moves the content left or up, towards what comes later',
});

export const scroll = defineAction({
  schema: actionSchema('scroll', {
    deltaX: Delta,
    deltaY: Delta,
    x: Type.Optional(Coordinate),
    y: Type.Optional(Coordinate),
  }),
  rules: ({ deltaX, deltaY, x, y }) => {
    if (deltaX === 0 && deltaY === 0) return fault('deltaY', 'must not be 0 while deltaX is 0');
    if ((x === undefined) === (y === undefined)) return undefined;
    return x === undefined ? fault('x', 'is required where y is given') : fault('y', 'is required where x is given');
  },
  complete: ({ deltaX, deltaY, x, y }) => ({
    action: 'scroll' as const,
    deltaX: deltaX + 0,
    deltaY: deltaY + 0,
    ...(x === undefined || y === undefined ? {} : { x: x + 0, y: y + 0 }),
  }),
  brief: true,
});

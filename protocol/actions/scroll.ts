import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { fault } from '../fault.ts';
import { defineAction } from './define-action.ts';
import { Coordinate } from './point.ts';

const Delta = Type.Number({
  minimum: ACTION_LIMITS.scrollDelta.min,
  maximum: ACTION_LIMITS.scrollDelta.max,
  description: 'Fraction of the viewport; positive values move the content left or up',
});

export const scroll = defineAction({
  name: 'scroll',
  summary: 'Scroll by fractions of the viewport',
  example: { deltaX: 0, deltaY: 0.5 },
  fields: { deltaX: Delta, deltaY: Delta, x: Type.Optional(Coordinate), y: Type.Optional(Coordinate) },
  result: { deltaX: Delta, deltaY: Delta },
  rules: ({ deltaX, deltaY, x, y }) => {
    if (deltaX === 0 && deltaY === 0) return fault('deltaY', 'must not be 0 while deltaX is 0');
    if ((x === undefined) === (y === undefined)) return undefined;
    return x === undefined ? fault('x', 'is required where y is given') : fault('y', 'is required where x is given');
  },
  brief: true,
});

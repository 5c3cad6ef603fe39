import { Type } from '@sinclair/typebox';
import { fault } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import { actionSchema, defineAction } from './action.ts';

/** Part of the vocabulary; no mobile platform supports it. */
export const rotateDigitalCrown = defineAction({
  schema: actionSchema('rotateDigitalCrown', {
    delta: Type.Number({ minimum: LIMITS.crownDelta.min, maximum: LIMITS.crownDelta.max }),
  }),
  rules: ({ delta }) => (delta === 0 ? fault('delta', 'must not be 0') : undefined),
  complete: ({ delta }) => ({ action: 'rotateDigitalCrown' as const, delta }),
});

import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { fault } from '../fault.ts';
import { defineAction } from './define-action.ts';

/** The contract also covers watches. A phone has no digital crown: the answer is always `unsupported_action`. */
export const rotateDigitalCrown = defineAction({
  name: 'rotateDigitalCrown',
  summary: 'Turn the digital crown; phones answer unsupported_action',
  example: { delta: 10 },
  fields: {
    delta: Type.Number({
      minimum: ACTION_LIMITS.crownDelta.min,
      maximum: ACTION_LIMITS.crownDelta.max,
      description: 'How far to turn it; not 0',
    }),
  },
  rules: ({ delta }) => (delta === 0 ? fault('delta', 'must not be 0') : undefined),
  platforms: [],
});

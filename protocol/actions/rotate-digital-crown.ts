import { Type } from '@sinclair/typebox';
import { fault } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import { defineAction } from './define-action.ts';

/** Part of the vocabulary, which is a watch's as well: it is answered, and never carried out. */
export const rotateDigitalCrown = defineAction({
  name: 'rotateDigitalCrown',
  summary: 'Turn the digital crown, which no phone has',
  fields: { delta: Type.Number({ minimum: LIMITS.crownDelta.min, maximum: LIMITS.crownDelta.max }) },
  rules: ({ delta }) => (delta === 0 ? fault('delta', 'must not be 0') : undefined),
  platforms: [],
  call: (delta: number) => ({ delta }),
});

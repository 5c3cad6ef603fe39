import { Type } from '@sinclair/typebox';
import { oneOf } from '../fault.ts';
import { LIMITS } from '../limits.ts';
import { BUTTONS } from '../platforms.ts';
import { actionSchema, defineAction } from './action.ts';
import { HoldMs } from './press-key.ts';

export const pressButton = defineAction({
  schema: actionSchema('pressButton', { button: oneOf(BUTTONS), durationMs: Type.Optional(HoldMs) }),
  complete: ({ button, durationMs = LIMITS.holdDurationMs.default }) => ({
    action: 'pressButton' as const,
    button,
    durationMs,
  }),
});

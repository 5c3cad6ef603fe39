import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { oneOf } from '../compile-check.ts';
import { BUTTONS } from '../platforms.ts';
import { defineAction } from './define-action.ts';
import { HoldMs, holdLack } from './hold.ts';

export const pressButton = defineAction({
  name: 'pressButton',
  summary: 'Press a button',
  example: { button: 'home' },
  fields: {
    button: oneOf(BUTTONS, { description: 'A button of the device; each platform has some of them' }),
    durationMs: Type.Optional(HoldMs),
  },
  // The hold that was honoured.
  result: { button: oneOf(BUTTONS), durationMs: HoldMs },
  complete: ({ button, durationMs = ACTION_LIMITS.holdDurationMs.default }) => ({ button, durationMs }),
  lack: ({ button, durationMs }, can) =>
    can.buttons.includes(button)
      ? holdLack('pressButton', durationMs, can)
      : { what: `"pressButton" of "${button}" is`, instead: `supported buttons: ${can.buttons.join(', ')}` },
});

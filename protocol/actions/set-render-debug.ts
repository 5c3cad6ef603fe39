import { Type } from '@sinclair/typebox';
import { oneOf } from '../compile-check.ts';
import { RENDER_OPTIONS } from '../platforms.ts';
import { defineAction } from './define-action.ts';

export const setRenderDebug = defineAction({
  name: 'setRenderDebug',
  summary: 'Switch a rendering debug option on or off (iOS)',
  example: { option: 'colorBlendedLayers', enabled: true },
  fields: {
    option: oneOf(RENDER_OPTIONS, { description: 'What iOS draws in colour, or slows down' }),
    enabled: Type.Boolean({ description: 'On or off' }),
  },
  result: { option: oneOf(RENDER_OPTIONS), enabled: Type.Boolean() },
  platforms: ['ios'],
  lack: ({ option }, can) =>
    can.renderOptions.includes(option) ? undefined : { what: `"setRenderDebug" of "${option}" is` },
});

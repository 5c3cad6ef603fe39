import { Type } from '@sinclair/typebox';
import { oneOf } from '../fault.ts';
import { RENDER_OPTIONS } from '../platforms.ts';
import { actionSchema, defineAction } from './action.ts';

export const setRenderDebug = defineAction({
  schema: actionSchema('setRenderDebug', { option: oneOf(RENDER_OPTIONS), enabled: Type.Boolean() }),
  complete: ({ option, enabled }) => ({ action: 'setRenderDebug' as const, option, enabled }),
});

import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { DeviceApp } from '../app.ts';
import { defineAction } from './define-action.ts';

export const listApps = defineAction({
  name: 'listApps',
  summary: 'List the apps of the device, and which is in front',
  fields: {},
  result: {
    apps: Type.Array(DeviceApp, { maxItems: ACTION_LIMITS.appsListed, description: 'By their identifiers' }),
    truncated: Type.Optional(Type.Literal(true, { description: 'Present if there are more' })),
  },
  reads: true,
});

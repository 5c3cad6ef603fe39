import { type Static, Type } from '@sinclair/typebox';
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
  command: {
    name: 'apps',
    examples: ['apps', 'apps --json'],
    tells: ({ apps, truncated }: { readonly apps: readonly Static<typeof DeviceApp>[]; readonly truncated?: true }) => [
      ...apps.map(({ app, name, version, state }) => [app, state, name, version].filter(Boolean).join('  ')),
      ...(truncated ? ['There are more.'] : []),
    ],
  },
});

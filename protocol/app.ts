import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import { oneOf } from './compile-check.ts';

const { min, max } = ACTION_LIMITS.appIdCharacters;
const WORDS = `the identifier of an app: ${min} to ${max} letters, digits, ".", "_" and "-", the first a letter or digit`;

/** An app of the device, as a field of a request. */
export const AppId = Type.String({
  pattern: `^[A-Za-z0-9][A-Za-z0-9._-]{0,${max - 1}}$`,
  words: WORDS,
  description: 'Bundle identifier (iOS) or package name (Android)',
  examples: ['com.example.shop'],
});

/** `front`: it is what a person looks at; `running`: it has a process; `stopped`: it has none. */
export const APP_STATES = ['front', 'running', 'stopped'] as const;
export type AppState = (typeof APP_STATES)[number];

/** `user`: it can be removed; `system`: it came with the device. */
export const APP_KINDS = ['user', 'system'] as const;

/** One app of a device. */
export const DeviceApp = Type.Object(
  {
    app: AppId,
    name: Type.Optional(
      Type.String({
        description: 'The label under the icon; absent where the device does not tell',
        examples: ['Shop'],
      }),
    ),
    version: Type.Optional(
      Type.String({
        description: 'Version that people see; absent where the device does not tell',
        examples: ['3.2.1'],
      }),
    ),
    kind: oneOf(APP_KINDS, { description: '`system`: it came with the device' }),
    state: oneOf(APP_STATES, { description: '`front`: in front; `running`: it has a process; `stopped`: it has none' }),
  },
  { additionalProperties: false },
);

import { type Static, Type } from '@sinclair/typebox';
import { AppId } from './app.ts';
import { oneOf } from './compile-check.ts';
import { ACCESSES, PERMISSION_STATES, PERMISSIONS } from './permission.ts';

export const PERMISSION_ASKED = {
  app: AppId,
  permission: oneOf(PERMISSIONS, { description: 'What the app may use' }),
  access: oneOf(ACCESSES, { description: '`reset`: as if nobody had been asked' }),
};

/** What the device says of a permission. */
export const PERMISSION_TOLD = {
  app: AppId,
  permission: PERMISSION_ASKED.permission,
  state: Type.Optional(
    oneOf(PERMISSION_STATES, {
      description: 'What the device says is in force; absent where it took the command and tells nothing',
    }),
  ),
  readBack: Type.Boolean({ description: 'Whether the device itself told the state afterwards' }),
};

/** What was decided of one permission of one app. */
export const DECISION = { app: Type.String(), permission: oneOf(PERMISSIONS), granted: Type.Boolean() };
const Decision = Type.Object(DECISION);
export type Decision = Static<typeof Decision>;

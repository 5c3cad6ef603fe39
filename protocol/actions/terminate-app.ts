import { APP_STATES, AppId } from '../app.ts';
import { oneOf } from '../compile-check.ts';
import { defineAction } from './define-action.ts';

export const terminateApp = defineAction({
  name: 'terminateApp',
  summary: 'End an app',
  fields: { app: AppId },
  result: { app: AppId, state: oneOf(APP_STATES, { description: 'As the device tells it afterwards' }) },
});

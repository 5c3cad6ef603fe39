import { APP_STATES, AppId } from '../app.ts';
import { oneOf } from '../compile-check.ts';
import { defineAction } from './define-action.ts';

export const terminateApp = defineAction({
  name: 'terminateApp',
  summary: 'End an app',
  fields: { app: AppId },
  result: { app: AppId, state: oneOf(APP_STATES, { description: 'As the device tells it afterwards' }) },
  command: {
    name: 'terminate',
    examples: ['terminate com.example.shop'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
  },
});

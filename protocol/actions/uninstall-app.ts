import { AppId } from '../app.ts';
import { defineAction } from './define-action.ts';

export const uninstallApp = defineAction({
  name: 'uninstallApp',
  summary: 'Remove an app that the session has brought',
  fields: { app: AppId },
  result: { app: AppId },
});

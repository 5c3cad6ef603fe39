import { AppId } from '../app.ts';
import { defineAction } from './define-action.ts';

export const clearAppData = defineAction({
  name: 'clearAppData',
  summary: 'End an app and delete all that it has stored',
  fields: { app: AppId },
  result: { app: AppId },
});

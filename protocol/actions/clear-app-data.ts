import { AppId } from '../app.ts';
import { defineAction } from './define-action.ts';

export const clearAppData = defineAction({
  name: 'clearAppData',
  summary: 'End an app and delete all that it has stored',
  fields: { app: AppId },
  result: { app: AppId },
  command: {
    name: 'clear-data',
    examples: ['clear-data com.example.shop'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
  },
});

import { defineAction } from './define-action.ts';

export const reload = defineAction({
  name: 'reload',
  summary: 'Restart the foreground app',
  fields: {},
});

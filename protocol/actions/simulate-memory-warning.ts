import { defineAction } from './define-action.ts';

export const simulateMemoryWarning = defineAction({
  name: 'simulateMemoryWarning',
  summary: 'Send a memory warning to the apps',
  fields: {},
});

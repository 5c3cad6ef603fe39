import { defineAction } from './define-action.ts';

export const resetDevice = defineAction({
  name: 'resetDevice',
  summary: 'Put the device back to how it was when the session began',
  fields: {},
});

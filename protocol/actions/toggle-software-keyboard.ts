import { defineAction } from './define-action.ts';

export const toggleSoftwareKeyboard = defineAction({
  name: 'toggleSoftwareKeyboard',
  summary: 'Show or hide the software keyboard',
  fields: {},
});

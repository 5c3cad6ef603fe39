import { actionSchema, defineAction } from './action.ts';

/** Shows the software keyboard, or hides it. */
export const toggleSoftwareKeyboard = defineAction({
  schema: actionSchema('toggleSoftwareKeyboard', {}),
  complete: () => ({ action: 'toggleSoftwareKeyboard' as const }),
});

import { actionSchema, defineAction } from './action.ts';

/** Restarts the foreground app. */
export const reload = defineAction({
  schema: actionSchema('reload', {}),
  complete: () => ({ action: 'reload' as const }),
});

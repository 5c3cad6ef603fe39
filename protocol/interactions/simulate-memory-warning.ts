import { actionSchema, defineAction } from './action.ts';

/** Makes the system tell its apps that memory is short. */
export const simulateMemoryWarning = defineAction({
  schema: actionSchema('simulateMemoryWarning', {}),
  complete: () => ({ action: 'simulateMemoryWarning' as const }),
});

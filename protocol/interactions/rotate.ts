import { oneOf } from '../fault.ts';
import { ORIENTATIONS } from '../platforms.ts';
import { actionSchema, defineAction } from './action.ts';

/** Turns the device to an absolute orientation. */
export const rotate = defineAction({
  schema: actionSchema('rotate', { orientation: oneOf(ORIENTATIONS) }),
  complete: ({ orientation }) => ({ action: 'rotate' as const, orientation }),
});

import { oneOf } from '../compile-check.ts';
import { ORIENTATIONS } from '../platforms.ts';
import { defineAction } from './define-action.ts';

/** Turns the device to an absolute orientation. */
export const rotate = defineAction({
  name: 'rotate',
  summary: 'Turn the device',
  example: { orientation: 'landscape_left' },
  fields: { orientation: oneOf(ORIENTATIONS, { description: 'The orientation to have then, whatever it is now' }) },
  result: { orientation: oneOf(ORIENTATIONS) },
  lack: ({ orientation }, can) =>
    can.orientations.includes(orientation)
      ? undefined
      : {
          what: `"rotate" to "${orientation}" is`,
          instead: `supported orientations: ${can.orientations.join(', ')}`,
        },
});

import { type Static, Type } from '@sinclair/typebox';
import { whole } from './fields.ts';
import { LIMITS } from './limits.ts';

const { min, max } = LIMITS.displayNameCharacters;

/** The name of one display of a device; names of a device's displays differ. */
export const DisplayName = Type.String({ minLength: min, maxLength: max });

/** One display of a device that has several, such as the inner and the outer panel of a foldable. */
export const DisplayRecord = Type.Object(
  {
    name: Type.String({
      ...DisplayName,
      description: 'Name of the display, unique on the device',
      examples: ['inner'],
    }),
    width: whole('Width in pixels, in portrait', 1_840),
    height: whole('Height in pixels, in portrait', 2_208),
    scale: Type.Number({ description: 'Pixels of one point of the layout', examples: [2.5] }),
    active: Type.Boolean({ description: 'Whether it shows the apps and takes the input; exactly one display does' }),
  },
  { $id: 'Display' },
);
export type DisplayRecord = Static<typeof DisplayRecord>;

import { type Static, Type } from '@sinclair/typebox';
import { LIMITS } from './limits.ts';

const { min, max } = LIMITS.displayNameCharacters;

/** The name of one display of a device; names of a device's displays differ. */
export const DisplayName = Type.String({ minLength: min, maxLength: max });

/** One display of a device that has several, such as the inner and the outer panel of a foldable. */
export const DisplayRecord = Type.Object({
  name: DisplayName,
  width: Type.Integer({ description: 'In pixels, in portrait' }),
  height: Type.Integer(),
  scale: Type.Number(),
  active: Type.Boolean({ description: 'Whether it shows the apps and takes the input; exactly one display does' }),
});
export type DisplayRecord = Static<typeof DisplayRecord>;

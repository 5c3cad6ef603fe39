import { type Static, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import type { Range } from './limits.ts';

const measure = ({ min, max }: Range, description: string, example: number) =>
  Type.Number({ minimum: min, maximum: max, description, examples: [example] });

/** A place on Earth, in the World Geodetic System 1984, as the systems of phones tell it to their apps. */
export const PLACE = {
  latitude: measure(ACTION_LIMITS.latitude, 'Degrees north of the equator', 52.52),
  longitude: measure(ACTION_LIMITS.longitude, 'Degrees east of Greenwich', 13.405),
  altitudeM: Type.Optional(measure(ACTION_LIMITS.altitudeM, 'Metres above the ellipsoid', 34)),
  accuracyM: Type.Optional(measure(ACTION_LIMITS.accuracyM, 'Metres that the place may be off', 10)),
};

const DeviceLocation = Type.Object(PLACE, { $id: 'DeviceLocation', additionalProperties: false });
export type DeviceLocation = Static<typeof DeviceLocation>;

/** What the actions about the location answer. */
export const LOCATION_TOLD = {
  location: Type.Optional(
    Type.Unsafe<DeviceLocation>({
      ...DeviceLocation,
      description: 'Where the device is then; absent where it has no location',
    }),
  ),
  readBack: Type.Boolean({
    description:
      'Whether the device itself told the location afterwards. Otherwise it took the command and tells nothing',
  }),
};

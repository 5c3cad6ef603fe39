import { type Static, Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from './action-limits.ts';
import { oneOf } from './compile-check.ts';
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

const { latitude, longitude, altitudeM } = PLACE;

const RoutePoint = Type.Object({ latitude, longitude, altitudeM }, { additionalProperties: false });
export type RoutePoint = Static<typeof RoutePoint>;

/** A way over the Earth: between two points it is the shortest one. */
export const ROUTE = {
  points: Type.Array(RoutePoint, {
    minItems: ACTION_LIMITS.routePoints.min,
    maxItems: ACTION_LIMITS.routePoints.max,
    description: 'Where it goes, from the first point to the last by the shortest ways between them',
  }),
  speedMPerS: measure(ACTION_LIMITS.speedMPerS, 'Metres a second: 1.4 walking, 14 in a town by car', 14),
};

export const ROUTE_STATES = ['moving', 'arrived', 'failed'] as const;

const RouteProgress = Type.Object(
  {
    state: oneOf(ROUTE_STATES, {
      description: '`arrived` stays at the last point; `failed` stays where the device took no further place',
    }),
    doneM: Type.Number({ minimum: 0, description: 'Metres of the way behind it' }),
    lengthM: Type.Number({ minimum: 0, description: 'Metres of the whole way' }),
    speedMPerS: Type.Number({ minimum: 0, description: 'Metres a second' }),
  },
  { $id: 'RouteProgress', additionalProperties: false },
);
export type RouteProgress = Static<typeof RouteProgress>;

/** What the actions about a location that may move answer. */
export const ROUTE_TOLD = {
  ...LOCATION_TOLD,
  route: Type.Optional(
    Type.Unsafe<RouteProgress>({
      ...RouteProgress,
      description: 'The route that was followed last; absent where the location has been set or cleared since',
    }),
  ),
};

import { ROUTE, ROUTE_TOLD, type RoutePoint } from '../location.ts';
import { defineAction } from './define-action.ts';

export const followRoute = defineAction({
  name: 'followRoute',
  summary: 'Move the location of the device along a route',
  example: {
    points: [
      { latitude: 52.52, longitude: 13.405 },
      { latitude: 52.53, longitude: 13.4 },
    ],
    speedMPerS: 14,
  },
  fields: ROUTE,
  result: ROUTE_TOLD,
  complete: ({ points, speedMPerS }) => ({ points: points.map(freshPoint), speedMPerS }),
  long: true,
});

/** Negative zero, which would compare unequal in a repeated request, becomes zero. */
function freshPoint({ latitude, longitude, altitudeM }: RoutePoint): RoutePoint {
  const height = altitudeM === undefined ? {} : { altitudeM: altitudeM + 0 };
  return { latitude: latitude + 0, longitude: longitude + 0, ...height };
}

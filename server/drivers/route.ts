import type { DeviceLocation, RoutePoint } from '@runcloud/protocol';

/** Mean radius of the Earth (IUGG). A sphere of it is off by half a per cent at most, and no receiver's path is as exact. */
const EARTH_M = 6_371_008.8;
/** Seven decimals of a degree are a centimetre. */
const DEGREE_DIGITS = 7;
const METRE_DIGITS = 2;

interface Leg {
  readonly from: RoutePoint;
  readonly to: RoutePoint;
  /** Angle at the centre of the Earth, in radians. */
  readonly angle: number;
  readonly startM: number;
  readonly lengthM: number;
}

/** A way along great circles. */
export class Route {
  readonly lengthM: number;
  readonly #legs: readonly Leg[];
  readonly #last: RoutePoint;

  /** @param points two at least */
  constructor(points: readonly RoutePoint[]) {
    const legs: Leg[] = [];
    let startM = 0;
    for (const [index, to] of points.entries()) {
      const from = points[index - 1];
      if (!from) continue;
      const angle = angleBetween(from, to);
      legs.push({ from, to, angle, startM, lengthM: angle * EARTH_M });
      startM += angle * EARTH_M;
    }
    this.#legs = legs;
    this.#last = points.at(-1) as RoutePoint;
    this.lengthM = rounded(startM, METRE_DIGITS);
  }

  /** Where one is after so many metres; its points exactly as they were given. */
  at(doneM: number): DeviceLocation {
    const leg = this.#legs.find(({ startM, lengthM }) => doneM < startM + lengthM);
    if (!leg) return this.#last;
    return between(leg, (doneM - leg.startM) / leg.lengthM);
  }
}

/** By the haversine formula, which is exact for near points, too. */
function angleBetween(from: RoutePoint, to: RoutePoint): number {
  const [one, other] = [radians(from.latitude), radians(to.latitude)];
  const haversine =
    Math.sin((other - one) / 2) ** 2 +
    Math.cos(one) * Math.cos(other) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** The point at a share of a leg, and of the height between its ends; between opposite points of the Earth any way is one. */
function between({ from, to, angle }: Leg, share: number): DeviceLocation {
  if (share <= 0) return from;
  const [fromLatitude, fromLongitude] = [radians(from.latitude), radians(from.longitude)];
  const [toLatitude, toLongitude] = [radians(to.latitude), radians(to.longitude)];
  const sine = Math.sin(angle);
  const isOpposite = sine < 1e-9 && angle > 1;
  const a = isOpposite ? 1 - share : Math.sin((1 - share) * angle) / sine;
  const b = isOpposite ? share : Math.sin(share * angle) / sine;
  const x = a * Math.cos(fromLatitude) * Math.cos(fromLongitude) + b * Math.cos(toLatitude) * Math.cos(toLongitude);
  const y = a * Math.cos(fromLatitude) * Math.sin(fromLongitude) + b * Math.cos(toLatitude) * Math.sin(toLongitude);
  const z = a * Math.sin(fromLatitude) + b * Math.sin(toLatitude);
  const heights = from.altitudeM !== undefined && to.altitudeM !== undefined ? [from.altitudeM, to.altitudeM] : [];
  const [low, high] = heights;
  return {
    latitude: rounded(degrees(Math.atan2(z, Math.hypot(x, y))), DEGREE_DIGITS),
    longitude: rounded(degrees(Math.atan2(y, x)), DEGREE_DIGITS),
    ...(low === undefined || high === undefined
      ? {}
      : { altitudeM: rounded(low + (high - low) * share, METRE_DIGITS) }),
  };
}

const radians = (angle: number): number => (angle * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;

/** Never negative zero. */
export const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits + 0;

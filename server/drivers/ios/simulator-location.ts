import type { RoutePoint } from '@runcloud/protocol';
import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import type { RoutePlayer } from '../route-player.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';

/** A tenth of a millimetre. */
const DIGITS = 9;

/** Where a simulator was told to be; nothing is set where it was not. */
export interface KnownPlace {
  set?: { readonly latitude: number; readonly longitude: number } | undefined;
}

/**
 * The actions about where a simulator is. Its commands set a latitude and a longitude, or move it along points, and tell nothing: how far
 * it is on a route is what its speed says.
 * @param along counts along while the simulator moves by itself
 * @param known where it was told to be; whoever knows better changes it
 */
export function locationHandlers(
  simctl: Pick<Simctl, 'setLocation' | 'clearLocation' | 'startRoute'>,
  udid: Udid,
  along: RoutePlayer,
  known: KnownPlace = {},
): Handlers {
  const told = () => {
    const location = along.location ?? known.set;
    const route = along.progress;
    return { ...(location ? { location } : {}), readBack: false, ...(route ? { route } : {}) };
  };
  return {
    setLocation: async ({ latitude, longitude, altitudeM, accuracyM }, { signal }) => {
      if (altitudeM !== undefined) throw lack('altitudeM');
      if (accuracyM !== undefined) throw lack('accuracyM');
      const [north, east] = [decimal(latitude), decimal(longitude)];
      await simctl.setLocation(udid, north, east, signal);
      await along.stop();
      known.set = { latitude: Number(north), longitude: Number(east) };
      return told();
    },
    clearLocation: async (_none, { signal }) => {
      await simctl.clearLocation(udid, signal);
      await along.stop();
      known.set = undefined;
      return told();
    },
    followRoute: async ({ points, speedMPerS }, { signal }) => {
      if (points.some(({ altitudeM }) => altitudeM !== undefined)) throw lack('altitudeM');
      const pair = ({ latitude, longitude }: RoutePoint) => `${decimal(latitude)},${decimal(longitude)}`;
      await simctl.startRoute(udid, points.map(pair), decimal(speedMPerS), signal);
      await along.start({ points, speedMPerS });
      return told();
    },
    readLocation: told,
  };
}

const lack = (field: string) =>
  new DeviceFault('unsupported', `"${field}" is not supported by iOS Simulators: simctl sets no more than a point.`);

/** Without an exponent, which the command does not read, and without a sign of zero. */
const decimal = (value: number): string =>
  value
    .toFixed(DIGITS)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

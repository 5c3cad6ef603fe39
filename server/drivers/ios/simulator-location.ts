import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';

/** A tenth of a millimetre. */
const DIGITS = 9;

/** The actions about where a simulator is. Its commands set a latitude and a longitude, and tell nothing. */
export function locationHandlers(simctl: Pick<Simctl, 'setLocation' | 'clearLocation'>, udid: Udid): Handlers {
  return {
    setLocation: async ({ latitude, longitude, altitudeM, accuracyM }, { signal }) => {
      if (altitudeM !== undefined || accuracyM !== undefined) {
        const field = altitudeM === undefined ? 'accuracyM' : 'altitudeM';
        throw new DeviceFault(
          'unsupported',
          `"${field}" is not supported by iOS Simulators: simctl sets no more than a point.`,
        );
      }
      const [north, east] = [decimal(latitude), decimal(longitude)];
      await simctl.setLocation(udid, north, east, signal);
      return { location: { latitude: Number(north), longitude: Number(east) }, readBack: false };
    },
    clearLocation: async (_none, { signal }) => {
      await simctl.clearLocation(udid, signal);
      return { readBack: false };
    },
  };
}

/** Without an exponent, which the command does not read, and without a sign of zero. */
const decimal = (degrees: number): string =>
  degrees
    .toFixed(DIGITS)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0');

import type { ResultOf } from '@runcloud/protocol';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';
import type { RoutePlayer } from '../route-player.ts';

/** The actions about where a virtual phone is, which its Settings tell. */
export function locationHandlers(phone: VirtualPhone, player: RoutePlayer): Handlers {
  const told = (): ResultOf<'readLocation'> => ({
    ...(phone.location ? { location: phone.location } : {}),
    readBack: true,
    ...(player.progress ? { route: player.progress } : {}),
  });
  return {
    setLocation: async ({ latitude, longitude, altitudeM, accuracyM }) => {
      await player.stop();
      phone.location = {
        latitude,
        longitude,
        ...(altitudeM === undefined ? {} : { altitudeM }),
        ...(accuracyM === undefined ? {} : { accuracyM }),
      };
      return told();
    },
    clearLocation: async () => {
      await player.stop();
      phone.location = undefined;
      return told();
    },
    followRoute: async (route) => {
      await player.start(route);
      return told();
    },
    readLocation: told,
  };
}

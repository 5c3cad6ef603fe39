import type { ResultOf } from '@runcloud/protocol';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The actions about where a virtual phone is, which its Settings tell. */
export function locationHandlers(phone: VirtualPhone): Handlers {
  const told = (): ResultOf<'setLocation'> => ({
    ...(phone.location ? { location: phone.location } : {}),
    readBack: true,
  });
  return {
    setLocation: ({ latitude, longitude, altitudeM, accuracyM }) => {
      phone.location = {
        latitude,
        longitude,
        ...(altitudeM === undefined ? {} : { altitudeM }),
        ...(accuracyM === undefined ? {} : { accuracyM }),
      };
      return told();
    },
    clearLocation: () => {
      phone.location = undefined;
      return told();
    },
  };
}

import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The settings of a virtual phone: what its own Settings can switch. */
export function settingsHandlers(phone: VirtualPhone): Handlers {
  return {
    configureDevice: ({ appearance, textScale, animations, network }) => {
      if (textScale !== undefined) {
        throw new DeviceFault(
          'unsupported',
          '"textScale" is not supported by virtual phones: their text has one size.',
        );
      }
      if (appearance !== undefined) phone.setAppearance(appearance);
      if (animations !== undefined) phone.setAnimations(animations);
      if (network !== undefined) phone.setNetwork(network);
      return { appearance: phone.appearance, animations: phone.animations, network: phone.network };
    },
  };
}

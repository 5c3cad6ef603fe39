import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';
import type { RoutePlayer } from '../route-player.ts';

/**
 * Puts a virtual phone back to the state that it has now.
 * @param onOrientation called when it is then held another way than before
 */
export function resetHandlers(phone: VirtualPhone, player: RoutePlayer, onOrientation: () => void): Handlers {
  const first = phone.save();
  return {
    resetDevice: async () => {
      await player.stop();
      const { orientation } = phone;
      phone.restore(first);
      if (phone.orientation !== orientation) onOrientation();
    },
  };
}

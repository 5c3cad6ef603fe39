import type { FieldsOf } from '@runcloud/protocol';
import { NETWORK_LIMITS } from '@runcloud/protocol/terms';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The settings of a virtual phone: what its own Settings can switch, and its network. */
export function settingsHandlers(phone: VirtualPhone): Handlers {
  return {
    configureDevice: (settings) => {
      const { appearance, textScale, animations, network } = settings;
      if (appearance !== undefined) phone.setAppearance(appearance);
      if (textScale !== undefined) phone.setTextScale(textScale);
      if (animations !== undefined) phone.setAnimations(animations);
      if (network !== undefined) phone.setNetwork(network);
      const limits = limitsOf(settings);
      if (Object.keys(limits).length > 0) phone.limitNetwork(limits);
      return {
        appearance: phone.appearance,
        textScale: phone.textScale,
        animations: phone.animations,
        network: phone.network,
        ...phone.networkLimits,
      };
    },
  };
}

const limitsOf = (settings: FieldsOf<'configureDevice'>) =>
  Object.fromEntries(
    NETWORK_LIMITS.flatMap((name) => {
      const value = settings[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

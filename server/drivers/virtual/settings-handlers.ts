import type { FieldsOf } from '@runcloud/protocol';
import { NETWORK_LIMITS } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import type { VirtualPhone } from '../../phone/phone.ts';

/** The settings of a virtual phone: what its own Settings can switch, and its network. */
export function settingsHandlers(phone: VirtualPhone): Handlers {
  return {
    configureDevice: (settings) => {
      const { appearance, locale, textScale, animations, network } = settings;
      if (locale !== undefined && !phone.settings.hasLocale(locale)) {
        throw new DeviceFault(
          'unsupported',
          `"locale" ${locale} is not supported by virtual phones: they have no words or no letters for it.`,
        );
      }
      if (appearance !== undefined) phone.settings.setAppearance(appearance);
      if (locale !== undefined) phone.settings.setLocale(locale);
      if (textScale !== undefined) phone.settings.setTextScale(textScale);
      if (animations !== undefined) phone.settings.setAnimations(animations);
      if (network !== undefined) phone.settings.setNetwork(network);
      const limits = limitsOf(settings);
      if (Object.keys(limits).length > 0) phone.settings.limitNetwork(limits);
      return {
        appearance: phone.settings.appearance,
        locale: phone.settings.locale,
        textScale: phone.settings.textScale,
        animations: phone.settings.animations,
        network: phone.settings.network,
        ...phone.settings.networkLimits,
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

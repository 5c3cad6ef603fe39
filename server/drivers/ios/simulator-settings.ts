import type { DeviceSettings } from '@runcloud/protocol';
import { LOCALE_PATTERN } from '@runcloud/protocol/terms';
import { DeviceFault } from '../../device/fault.ts';
import type { Handlers } from '../../device/handlers.ts';
import { refuseNetworkLimits } from '../../device/network-limits.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';

/** Sizes of body text in points, by the names that simctl has for them (Human Interface Guidelines, Typography). */
const BODY_POINTS = {
  'extra-small': 14,
  small: 15,
  medium: 16,
  large: 17,
  'extra-large': 19,
  'extra-extra-large': 21,
  'extra-extra-extra-large': 23,
  'accessibility-medium': 28,
  'accessibility-large': 33,
  'accessibility-extra-large': 40,
  'accessibility-extra-extra-large': 47,
  'accessibility-extra-extra-extra-large': 53,
} as const;
type ContentSize = keyof typeof BODY_POINTS;
const USUAL_POINTS = BODY_POINTS.large;

/** The settings of a simulator, by its own commands, which tell what is in force. */
export function settingsHandlers(simctl: Pick<Simctl, 'ui' | 'defaults'>, udid: Udid): Handlers {
  return {
    configureDevice: async (settings, { signal }) => {
      const { appearance, locale, textScale, animations, network } = settings;
      refuseNetworkLimits(settings, 'iOS Simulators: they share the network of their Mac');
      if (animations !== undefined) {
        throw new DeviceFault(
          'unsupported',
          '"animations" is not supported by iOS Simulators: simctl has no such setting.',
        );
      }
      if (network !== undefined) {
        throw new DeviceFault(
          'unsupported',
          '"network" is not supported by iOS Simulators: they share the network of their Mac.',
        );
      }
      if (appearance !== undefined) await simctl.ui(udid, ['appearance', appearance], signal);
      if (locale !== undefined) await setLocale(simctl, udid, locale, signal);
      if (textScale !== undefined) await simctl.ui(udid, ['content_size', nearestSize(textScale)], signal);
      return {
        ...appearanceOf(await simctl.ui(udid, ['appearance'], signal)),
        ...(await localeOf(simctl, udid, signal)),
        ...scaleOf(await simctl.ui(udid, ['content_size'], signal)),
      };
    },
  };
}

const LOCALE = new RegExp(LOCALE_PATTERN);
/** The preferences of all apps, which read them when they are launched. */
const EVERYWHERE = '-g';

async function setLocale(
  simctl: Pick<Simctl, 'defaults'>,
  udid: Udid,
  locale: string,
  signal: AbortSignal,
): Promise<void> {
  // As Apple writes it, with the region behind an underscore (Internationalization and Localization Guide, "Language and Locale IDs").
  const apple = locale.replace(/-([A-Z]{2}|[0-9]{3})$/, '_$1');
  await simctl.defaults(udid, ['write', EVERYWHERE, 'AppleLanguages', '-array', locale], signal);
  await simctl.defaults(udid, ['write', EVERYWHERE, 'AppleLocale', apple], signal);
}

async function localeOf(simctl: Pick<Simctl, 'defaults'>, udid: Udid, signal: AbortSignal): Promise<DeviceSettings> {
  // What was never written is not there, and the command fails.
  const told = await simctl.defaults(udid, ['read', EVERYWHERE, 'AppleLocale'], signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof DeviceFault) return '';
    throw error;
  });
  const locale = /^[A-Za-z0-9_-]+/.exec(told)?.[0].replaceAll('_', '-');
  return locale !== undefined && LOCALE.test(locale) ? { locale } : {};
}

function nearestSize(scale: number): ContentSize {
  const off = (name: ContentSize) => Math.abs(BODY_POINTS[name] / USUAL_POINTS - scale);
  return (Object.keys(BODY_POINTS) as ContentSize[]).reduce((best, name) => (off(name) < off(best) ? name : best));
}

const appearanceOf = (told: string): DeviceSettings =>
  told === 'light' || told === 'dark' ? { appearance: told } : {};

function scaleOf(told: string): DeviceSettings {
  if (!Object.hasOwn(BODY_POINTS, told)) return {};
  return { textScale: Math.round((BODY_POINTS[told as ContentSize] / USUAL_POINTS) * 100) / 100 };
}

import type { DeviceSettings } from '@runcloud/protocol';
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
export function settingsHandlers(simctl: Pick<Simctl, 'ui'>, udid: Udid): Handlers {
  return {
    configureDevice: async (settings, { signal }) => {
      const { appearance, textScale, animations, network } = settings;
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
      if (textScale !== undefined) await simctl.ui(udid, ['content_size', nearestSize(textScale)], signal);
      return {
        ...appearanceOf(await simctl.ui(udid, ['appearance'], signal)),
        ...scaleOf(await simctl.ui(udid, ['content_size'], signal)),
      };
    },
  };
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

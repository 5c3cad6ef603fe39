import type { Platform } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '@runcloud/protocol/terms';
import type { DeviceDescriptor } from '../device/driver.ts';

/** The phone of each platform. Its pictures are small, so that a host carries many. */
export const VIRTUAL_MODELS: Readonly<Record<Platform, DeviceDescriptor>> = {
  ios: { model: 'Virtual iPhone', osVersion: '1.0', width: 590, height: 1280, scale: 1.5, driver: 'virtual' },
  android: { model: 'Virtual Android', osVersion: '1.0', width: 540, height: 1200, scale: 1.3125, driver: 'virtual' },
};

const INNER = { name: 'inner', width: 920, height: 1104, scale: 1.3125 } as const;
const OUTER = { name: 'outer', width: 540, height: 1046, scale: 1.3125 } as const;

/** Other phones, which the settings offer by their names. */
export const VIRTUAL_VARIANTS = {
  /** As sharp as a phone of today. */
  'virtual-ios@3x': {
    platform: 'ios',
    descriptor: { ...VIRTUAL_MODELS.ios, model: 'Virtual iPhone 3x', width: 1_179, height: 2_556, scale: 3 },
  },
  'virtual-android@3x': {
    platform: 'android',
    descriptor: { ...VIRTUAL_MODELS.android, model: 'Virtual Android 3x', width: 1_080, height: 2_400, scale: 2.625 },
  },
  /** It folds: unfolded it shows its inner display, folded its outer one. */
  'virtual-android-fold': {
    platform: 'android',
    descriptor: {
      model: 'Virtual Fold',
      osVersion: '1.0',
      width: INNER.width,
      height: INNER.height,
      scale: INNER.scale,
      driver: 'virtual',
      displays: [
        { ...INNER, active: true },
        { ...OUTER, active: false },
      ],
    },
  },
} as const satisfies Record<string, { readonly platform: Platform; readonly descriptor: DeviceDescriptor }>;

export type VirtualVariant = keyof typeof VIRTUAL_VARIANTS;

/** The virtual device of a model; the platform's phone where none is named. */
export const virtualModel = (platform: Platform, model?: string): DeviceDescriptor =>
  Object.values(VIRTUAL_VARIANTS).find((one) => one.platform === platform && one.descriptor.model === model)
    ?.descriptor ?? VIRTUAL_MODELS[platform];

/** The names of a model and its system, as Settings shows them. */
export function aboutPhone(
  platform: Platform,
  name: string | undefined,
): { readonly model: string; readonly system: string } {
  const { model, osVersion } = virtualModel(platform, name);
  return { model, system: `${PLATFORM_NAMES[platform]} ${osVersion}, virtual` };
}

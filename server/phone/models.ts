import type { Platform } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../device/driver.ts';

/** The phone of each platform. */
export const VIRTUAL_MODELS: Readonly<Record<Platform, DeviceDescriptor>> = {
  ios: { model: 'Virtual iPhone', osVersion: '1.0', width: 590, height: 1280, scale: 1.5, driver: 'virtual' },
  android: { model: 'Virtual Android', osVersion: '1.0', width: 540, height: 1200, scale: 1.3125, driver: 'virtual' },
};

const INNER = { name: 'inner', width: 920, height: 1104, scale: 1.3125 } as const;
const OUTER = { name: 'outer', width: 540, height: 1046, scale: 1.3125 } as const;

/** An Android phone that folds: unfolded it shows its inner display, folded its outer one. */
export const VIRTUAL_FOLD: DeviceDescriptor = {
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
};

/** The virtual device of a model; the platform's phone where none is named. */
export const virtualModel = (platform: Platform, model?: string): DeviceDescriptor =>
  platform === 'android' && model === VIRTUAL_FOLD.model ? VIRTUAL_FOLD : VIRTUAL_MODELS[platform];

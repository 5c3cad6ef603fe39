import type { Platform } from '@runcloud/protocol';
import type { DeviceDescriptor } from '../device/driver.ts';

/** The only model of each platform. */
export const VIRTUAL_MODELS: Readonly<Record<Platform, DeviceDescriptor>> = {
  ios: { model: 'Virtual iPhone', osVersion: '1.0', width: 590, height: 1280, scale: 1.5, driver: 'virtual' },
  android: { model: 'Virtual Android', osVersion: '1.0', width: 540, height: 1200, scale: 1.3125, driver: 'virtual' },
};

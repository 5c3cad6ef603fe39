import { DEVICE_SETTINGS } from '../device-settings.ts';
import { defineAction } from './define-action.ts';

export const configureDevice = defineAction({
  name: 'configureDevice',
  summary: 'Change settings of the device, and tell those in force',
  example: { appearance: 'dark', textScale: 1.3 },
  fields: DEVICE_SETTINGS,
  result: DEVICE_SETTINGS,
});

import { LOCATION_TOLD } from '../location.ts';
import { defineAction } from './define-action.ts';

export const clearLocation = defineAction({
  name: 'clearLocation',
  summary: 'Give the device the location that it had before the session',
  fields: {},
  result: LOCATION_TOLD,
});

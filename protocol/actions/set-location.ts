import { LOCATION_TOLD, PLACE } from '../location.ts';
import { defineAction } from './define-action.ts';

export const setLocation = defineAction({
  name: 'setLocation',
  summary: 'Set the location of the device',
  example: { latitude: 52.52, longitude: 13.405, altitudeM: 34 },
  fields: PLACE,
  result: LOCATION_TOLD,
});

import { ROUTE_TOLD } from '../location.ts';
import { defineAction } from './define-action.ts';

export const readLocation = defineAction({
  name: 'readLocation',
  summary: 'Tell where the device is, and how far along its route',
  fields: {},
  result: ROUTE_TOLD,
  reads: true,
});

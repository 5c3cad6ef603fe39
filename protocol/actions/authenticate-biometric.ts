import { Type } from '@sinclair/typebox';
import { defineAction } from './define-action.ts';

const FIELDS = {
  match: Type.Boolean({ description: 'Whether it is the face or finger that the device knows, or another one' }),
};

export const authenticateBiometric = defineAction({
  name: 'authenticateBiometric',
  summary: 'Show the device the face or finger that it asks for, or another one',
  fields: FIELDS,
  result: {
    ...FIELDS,
    readBack: Type.Boolean({ description: 'Whether the device told that something had asked' }),
  },
  absence: 'Android knows no finger that a person has not enrolled on it',
});

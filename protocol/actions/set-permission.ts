import { PERMISSION_ASKED, PERMISSION_TOLD } from '../permission-fields.ts';
import { defineAction } from './define-action.ts';

export const setPermission = defineAction({
  name: 'setPermission',
  summary: 'Grant, revoke or reset a permission of an app that the session has brought',
  example: { app: 'com.example.shop', permission: 'location', access: 'grant' },
  fields: PERMISSION_ASKED,
  result: PERMISSION_TOLD,
});

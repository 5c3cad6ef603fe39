import { Type } from '@sinclair/typebox';
import { DeviceApp } from '../app.ts';
import { defineAction } from './define-action.ts';

export const installApp = defineAction({
  name: 'installApp',
  summary: 'Install an uploaded app on the running device',
  fields: {
    asset: Type.String({
      pattern: '^ast_[A-Za-z0-9]{1,60}$',
      words: 'the id of an uploaded app, such as "ast_4kZ1bQx7RmT9vLs2WcHn0e"',
      description:
        'Id of the uploaded app. One that is installed already is replaced. It is removed at the end of the session, and cannot be ' +
        'deleted before',
      examples: ['ast_4kZ1bQx7RmT9vLs2WcHn0e'],
    }),
  },
  result: DeviceApp.properties,
});

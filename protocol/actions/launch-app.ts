import { Type } from '@sinclair/typebox';
import { ACTION_LIMITS } from '../action-limits.ts';
import { APP_STATES, AppId } from '../app.ts';
import { isWellFormed } from '../characters.ts';
import { oneOf } from '../compile-check.ts';
import { fault } from '../fault.ts';
import { urlFault } from '../url-rules.ts';
import { defineAction } from './define-action.ts';

const { urlCharacters } = ACTION_LIMITS;
const countMax = ACTION_LIMITS.launchArguments;
const charactersMax = ACTION_LIMITS.launchArgumentCharacters;
const VALUE_WORDS = `text of at most ${charactersMax} characters, without NUL`;

const Arguments = Type.Record(
  Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$' }),
  Type.String({ maxLength: charactersMax, pattern: '^[^\\0]*$', words: VALUE_WORDS }),
  {
    additionalProperties: false,
    maxProperties: countMax,
    words: `an object of at most ${countMax} texts`,
    description:
      `At most ${countMax} texts by name: on iOS the arguments "-name value", which UserDefaults reads; on Android extras of the ` +
      'intent. An app that runs is ended first, since it has its arguments from its start',
    examples: [{ environment: 'staging' }],
  },
);

export const launchApp = defineAction({
  name: 'launchApp',
  summary: 'Start an app, or bring it to the front',
  example: { app: 'com.example.shop', arguments: { environment: 'staging' } },
  fields: {
    app: AppId,
    arguments: Type.Optional(Arguments),
    url: Type.Optional(
      Type.String({
        minLength: urlCharacters.min,
        maxLength: urlCharacters.max,
        description: 'URL that the app is opened with, unchanged; it must be one that the app handles',
        examples: ['shop://basket'],
      }),
    ),
  },
  result: { app: AppId, state: oneOf(APP_STATES, { description: 'As the device tells it afterwards' }) },
  rules: ({ arguments: given = {}, url }) => {
    const torn = Object.entries(given).find(([, value]) => !isWellFormed(value));
    if (torn) return fault(`arguments.${torn[0]}`, `must be ${VALUE_WORDS} or half of a surrogate pair`);
    const refused = url === undefined ? undefined : urlFault(url);
    return refused === undefined ? undefined : fault('url', refused);
  },
  // In one order, so that a repeated request is equal however its arguments were written down.
  complete: ({ app, arguments: given = {}, url }) => ({
    app,
    arguments: Object.fromEntries(Object.entries(given).sort(([one], [other]) => (one < other ? -1 : 1))),
    ...(url === undefined ? {} : { url }),
  }),
  long: true,
});

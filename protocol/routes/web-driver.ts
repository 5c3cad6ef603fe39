import { checkWebDriverBody, WebDriverBody } from '../web-driver-body.ts';
import { byKey, get, jsonBody, post, remove } from './parts.ts';
import type { Route } from './route.ts';

const PATH = '/wd/{command}';

/** W3C WebDriver, section 6: each command is answered with its value, or with an error and its status. */
const COMMON = {
  internal: true,
  ...byKey('account'),
  deep: true,
  failures: 'webDriver',
  answers: { 200: { description: 'The value of the command', mediaType: 'application/json' } },
} as const;

/** For the clients of WebDriver and Appium; `command` is the path of a command as WebDriver has it, such as `session/{id}/url`. */
export const WEB_DRIVER_ROUTES = {
  readWebDriver: { ...get(PATH, 'Ask by a WebDriver command'), ...COMMON },
  postWebDriver: {
    ...post(PATH, 'Carry out a WebDriver command', 'none'),
    ...COMMON,
    body: jsonBody(WebDriverBody, checkWebDriverBody),
  },
  deleteWebDriver: { ...remove(PATH, 'End by a WebDriver command', 'none'), ...COMMON },
} as const satisfies Record<string, Route>;

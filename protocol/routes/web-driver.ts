import { checkWebDriverBody, WebDriverBody } from '../web-driver-body.ts';
import { byKey, get, jsonBody, post, remove } from './parts.ts';
import type { Answer, Route } from './route.ts';

const PATH = '/wd/{command}';
const FAILURE = { description: 'A WebDriver error', mediaType: 'application/json' } as const satisfies Answer;

/** W3C WebDriver, section 6: each command is answered with its value, or with an error and its status. */
const COMMON = {
  internal: true,
  ...byKey('account'),
  deep: true,
  failures: 'webDriver',
  answers: {
    200: { description: 'The value of the command', mediaType: 'application/json' },
    400: FAILURE,
    401: FAILURE,
    404: FAILURE,
    405: FAILURE,
    413: FAILURE,
    429: FAILURE,
    500: FAILURE,
    502: FAILURE,
    503: FAILURE,
    504: FAILURE,
  },
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

import { BUTTONS, type Button, KEYS, type Key } from '@runcloud/protocol';
import { POST, type SessionCall, type SessionCommand } from '../command.ts';
import { WebDriverFailure } from '../failure.ts';
import { Fields } from '../fields.ts';
import { answered } from './alerts.ts';
import { appState, cleared, installed, isInstalled, launched, removed, terminated } from './apps.ts';

type Run = (call: SessionCall) => unknown;

/** Where a swipe goes: from the middle, for 40 percent of the display. */
const SWIPE_SHARE = 0.4;
const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  up: [0, -1],
  down: [0, 1],
  left: [-1, 0],
  right: [1, 0],
};

const directionOf = (fields: Fields): readonly [number, number] => {
  const direction = DIRECTIONS[fields.text('direction')];
  if (direction) return direction;
  throw new WebDriverFailure('invalid argument', '"direction" must be up, down, left or right.');
};

/** Commands of Appium's drivers, by the names after `mobile:`; the arguments are those that Appium documents. */
const EXTENSIONS: Readonly<Record<string, Run>> = {
  launchApp: launched,
  activateApp: launched,
  terminateApp: terminated,
  installApp: installed,
  removeApp: removed,
  isAppInstalled: isInstalled,
  queryAppState: appState,
  clearApp: cleared,
  alert: (call) => {
    const action = call.fields.text('action');
    const label = call.fields.maybe('buttonLabel', (fields, name) => fields.text(name));
    if (action === 'accept' || action === 'dismiss') return answered(call, action, label);
    throw new WebDriverFailure('invalid argument', '"action" must be accept or dismiss.');
  },
  deepLink: async ({ session, fields, signal }) => {
    await session.openUrl(fields.text('url'), { signal });
  },
  swipe: async ({ session, fields, signal }) => {
    const [x, y] = directionOf(fields);
    const at = (sign: number) => ({ x: 0.5 + (sign * x * SWIPE_SHARE) / 2, y: 0.5 + (sign * y * SWIPE_SHARE) / 2 });
    await session.swipe(at(-1), at(1), { signal });
  },
  /** Moves what is seen in the direction, so that the finger goes the other way. */
  scroll: async ({ session, fields, signal }) => {
    const [x, y] = directionOf(fields);
    await session.scroll(x * SWIPE_SHARE, y * SWIPE_SHARE, { signal });
  },
  pressButton: async ({ session, fields, signal }) => {
    await session.pressButton(oneOf<Button>(BUTTONS, 'button', fields.text('name')), { signal });
  },
  pressKey: async ({ session, fields, signal }) => {
    await session.pressKey(oneOf<Key>(KEYS, 'key', fields.text('key')), { signal });
  },
  setClipboard: async ({ session, fields, signal }) => {
    await session.clipboard.write(fields.text('content'), { signal });
  },
  getClipboard: async ({ session, signal }) => (await session.clipboard.read({ signal })).text,
  setSimulatedLocation: async ({ session, fields, signal }) => {
    await session.setLocation(fields.number('latitude', -90, 90), fields.number('longitude', -180, 180), { signal });
  },
  resetSimulatedLocation: async ({ session, signal }) => {
    await session.clearLocation({ signal });
  },
  setAppearance: async ({ session, fields, signal }) => {
    const style = fields.text('style');
    if (style !== 'light' && style !== 'dark')
      throw new WebDriverFailure('invalid argument', '"style" must be light or dark.');
    await session.configureDevice({ appearance: style, signal });
  },
};

function oneOf<Name extends string>(names: readonly Name[], what: string, name: string): Name {
  const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
  if (known !== undefined) return known;
  throw new WebDriverFailure(
    'invalid argument',
    `There is no ${what} ${JSON.stringify(name)}; there are ${names.join(', ')}.`,
  );
}

const PREFIX = 'mobile:';

function executed(call: SessionCall): unknown {
  const script = call.fields.text('script');
  const name = script.startsWith(PREFIX) ? script.slice(PREFIX.length).trim() : '';
  const run = Object.hasOwn(EXTENSIONS, name) ? EXTENSIONS[name] : undefined;
  if (!run) {
    const known = Object.keys(EXTENSIONS).join(', ');
    throw new WebDriverFailure(
      'unsupported operation',
      `Scripts are "mobile: " and one of ${known}; not ${JSON.stringify(script.slice(0, 100))}.`,
    );
  }
  const [given = {}] = call.fields.list('args');
  return run({ ...call, fields: new Fields(given, 'args[0]') });
}

export const EXTENSION_COMMANDS: readonly SessionCommand[] = [
  POST('execute/sync', executed),
  POST('execute', executed),
];

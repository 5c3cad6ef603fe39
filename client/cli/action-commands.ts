import type { Static } from '@sinclair/typebox';
import type { ActionName, ResultOf } from '../../protocol/actions/index.ts';
import type { DeviceApp } from '../../protocol/app.ts';
import { ACCESSES, PERMISSIONS } from '../../protocol/permission.ts';
import { BUTTONS, MODIFIERS, ORIENTATIONS, RENDER_OPTIONS } from '../../protocol/platforms.ts';

/** How the text that a person writes becomes the value of a field: JSON is read from a file, a time may have a unit. */
export type Notation = 'text' | 'number' | 'point' | 'element' | 'time' | 'list' | 'pairs' | 'on or off' | 'JSON file';

export interface CommandArgument {
  readonly name: string;
  readonly words: string;
  /** `text` where absent. */
  readonly notation?: Notation;
}

export interface CommandOption {
  /** As commander takes them: `-m, --modifier <names>`. */
  readonly flags: string;
  /** The option's name in programs. */
  readonly option: string;
  readonly words: string;
  readonly notation?: Notation;
}

/** The action as a command of the command line, described by the action's summary. */
export interface ActionCommand {
  readonly name: string;
  readonly examples: readonly string[];
  /** In the order of the method's arguments. */
  readonly arguments?: readonly CommandArgument[];
  readonly options?: readonly CommandOption[];
  /** The lines that a person reads of the result; absent where it is enough that it was done. */
  readonly tells?: (result: never) => readonly string[];
  /** It changes nothing. */
  readonly reads?: true;
}

const HOLD: CommandOption = {
  flags: '--duration <time>',
  option: 'durationMs',
  words: '20ms to 30s; default: 50ms',
  notation: 'time',
};

const INTO: CommandOption = {
  flags: '--into <text>',
  option: 'target',
  words: 'text field to focus first',
  notation: 'element',
};

/** The commands of the contract's actions; `tap` and `tapElement` are one of their own, as are `scroll` and `scrollTo`. They stand here and not in the actions' values, since nobody else reads them. */
export const ACTION_COMMANDS: Readonly<Partial<Record<ActionName, ActionCommand>>> = {
  swipe: {
    name: 'swipe',
    examples: ['swipe 0.5,0.8 0.5,0.2 --duration 500ms'],
    arguments: [
      { name: 'from', words: 'x,y as fractions of the display', notation: 'point' },
      { name: 'to', words: 'x,y as fractions of the display', notation: 'point' },
    ],
    options: [
      {
        flags: '--duration <time>',
        option: 'durationMs',
        words: '50ms to 30s; default: 300ms',
        notation: 'time',
      },
    ],
  },
  gesture: {
    name: 'gesture',
    examples: ['gesture pinch.json', 'gesture - < pinch.json'],
    arguments: [
      {
        name: 'file',
        words: 'JSON list of { phase, points, delayMs? }; - reads standard input',
        notation: 'JSON file',
      },
    ],
  },
  typeText: {
    name: 'type',
    examples: ['type "Hello from the command line"'],
    arguments: [{ name: 'text', words: '1 to 10,000 printable US ASCII characters, tabs or line feeds' }],
    options: [INTO],
  },
  insertText: {
    name: 'insert',
    examples: ['insert "Grüße 你好 😀"'],
    arguments: [{ name: 'text', words: '1 to 10,000 Unicode characters' }],
    options: [INTO],
  },
  pressKey: {
    name: 'key',
    examples: ['key enter', 'key a --modifier shift,meta'],
    arguments: [{ name: 'key', words: 'a, 1, enter, arrowLeft, f1, numpad0, ...' }],
    options: [
      {
        flags: '-m, --modifier <names>',
        option: 'modifiers',
        words: MODIFIERS.join(', '),
        notation: 'list',
      },
      HOLD,
    ],
  },
  pressButton: {
    name: 'button',
    examples: ['button home', 'button power --duration 2s'],
    arguments: [{ name: 'button', words: BUTTONS.join(', ') }],
    options: [HOLD],
  },
  rotate: {
    name: 'rotate',
    examples: ['rotate landscape_left'],
    arguments: [{ name: 'orientation', words: ORIENTATIONS.join(', ') }],
  },
  reload: { name: 'reload', examples: ['reload'] },
  toggleSoftwareKeyboard: { name: 'keyboard', examples: ['keyboard'] },
  simulateMemoryWarning: { name: 'memory-warning', examples: ['memory-warning'] },
  setRenderDebug: {
    name: 'render-debug',
    examples: ['render-debug colorBlendedLayers on'],
    arguments: [
      { name: 'option', words: RENDER_OPTIONS.join(', ') },
      { name: 'on|off', words: 'new state of the option', notation: 'on or off' },
    ],
  },
  listApps: {
    name: 'apps',
    examples: ['apps', 'apps --json'],
    reads: true,
    tells: ({ apps, truncated }: { readonly apps: readonly Static<typeof DeviceApp>[]; readonly truncated?: true }) => [
      ...apps.map(({ app, name, version, state }) => [app, state, name, version].filter(Boolean).join('  ')),
      ...(truncated ? ['There are more.'] : []),
    ],
  },
  launchApp: {
    name: 'launch',
    examples: ['launch com.example.shop', 'launch com.example.shop --argument environment=staging'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
    options: [
      {
        flags: '-a, --argument <name=value>',
        option: 'arguments',
        words: 'argument for the app; may be repeated',
        notation: 'pairs',
      },
      { flags: '--url <url>', option: 'url', words: 'URL that the app is opened with' },
    ],
  },
  terminateApp: {
    name: 'terminate',
    examples: ['terminate com.example.shop'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
  },
  clearAppData: {
    name: 'clear-data',
    examples: ['clear-data com.example.shop'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
  },
  uninstallApp: {
    name: 'uninstall',
    examples: ['uninstall com.example.shop'],
    arguments: [{ name: 'app', words: 'bundle identifier or package name' }],
  },
  setLocation: {
    name: 'location',
    examples: ['location 52.52 13.405', 'location -33.86 151.21 --altitude 58'],
    arguments: [
      { name: 'latitude', words: 'degrees north, -90 to 90', notation: 'number' },
      { name: 'longitude', words: 'degrees east, -180 to 180', notation: 'number' },
    ],
    options: [
      { flags: '--altitude <m>', option: 'altitudeM', words: 'metres above the ellipsoid', notation: 'number' },
      { flags: '--accuracy <m>', option: 'accuracyM', words: 'metres that the place may be off', notation: 'number' },
    ],
    tells: locationWords,
  },
  clearLocation: { name: 'clear-location', examples: ['clear-location'], tells: locationWords },
  followRoute: {
    name: 'route',
    examples: ['route commute.json 14', 'route - 1.4 < walk.json'],
    arguments: [
      {
        name: 'file',
        words: 'JSON list of { latitude, longitude, altitudeM? }; - reads standard input',
        notation: 'JSON file',
      },
      { name: 'speed', words: 'metres a second, 0.1 to 10,000', notation: 'number' },
    ],
    tells: routeWords,
  },
  readLocation: { name: 'where', examples: ['where', 'where --json'], tells: routeWords, reads: true },
  configureDevice: {
    name: 'configure',
    examples: [
      'configure --appearance dark',
      'configure --text-scale 1.3 --animations off',
      'configure --locale de-DE',
      'configure --network offline',
      'configure --downlink 400 --delay 200ms --loss 1',
    ],
    options: [
      { flags: '--appearance <name>', option: 'appearance', words: 'light or dark' },
      { flags: '--locale <tag>', option: 'locale', words: 'language and region, as in BCP 47' },
      {
        flags: '--text-scale <n>',
        option: 'textScale',
        words: 'multiple of the usual size of text',
        notation: 'number',
      },
      {
        flags: '--animations <on|off>',
        option: 'animations',
        words: 'whether the system moves',
        notation: 'on or off',
      },
      { flags: '--network <name>', option: 'network', words: 'online or offline' },
      {
        flags: '--downlink <kbps>',
        option: 'downlinkKbps',
        words: 'kilobits a second; 0: no limit',
        notation: 'number',
      },
      { flags: '--uplink <kbps>', option: 'uplinkKbps', words: 'kilobits a second; 0: no limit', notation: 'number' },
      {
        flags: '--delay <time>',
        option: 'networkDelayMs',
        words: 'that an answer takes longer, as 200ms',
        notation: 'time',
      },
      { flags: '--loss <percent>', option: 'networkLossPercent', words: 'of the packets', notation: 'number' },
    ],
    tells: settingsWords,
  },
  setPermission: {
    name: 'permission',
    examples: ['permission com.example.shop location grant'],
    arguments: [
      { name: 'app', words: 'bundle identifier or package name' },
      { name: 'kind', words: PERMISSIONS.join(', ') },
      { name: 'verb', words: ACCESSES.join(', ') },
    ],
    tells: ({ app, permission, state, readBack }: ResultOf<'setPermission'>) => [
      readBack ? `${app} ${permission}: ${state}` : 'Done; the device does not tell what is in force.',
    ],
  },
  sendPush: {
    name: 'push',
    examples: ['push com.example.shop order.json', 'push com.example.shop - < order.json'],
    arguments: [
      { name: 'app', words: 'bundle identifier or package name' },
      {
        name: 'file',
        words: 'JSON payload, { "aps": { "alert": ... } }; - reads standard input',
        notation: 'JSON file',
      },
    ],
    tells: ({ shown }: ResultOf<'sendPush'>) => [
      shown === undefined
        ? 'Sent; the device does not tell whether it shows it.'
        : shown
          ? 'Shown.'
          : 'Delivered; nothing is shown of it.',
    ],
  },
  authenticateBiometric: {
    name: 'biometric',
    examples: ['biometric on', 'biometric off'],
    arguments: [
      { name: 'on|off', words: 'on: the face or finger that it knows; off: another one', notation: 'on or off' },
    ],
    tells: ({ match, readBack }: ResultOf<'authenticateBiometric'>) => [
      `${match ? 'Matched' : 'Not matched'}${readBack ? '.' : '; the device does not tell whether anything had asked.'}`,
    ],
  },
  resetDevice: { name: 'reset', examples: ['reset'] },
};

/** For people to read. */
function locationWords({ location, readBack }: NonNullable<ResultOf<'setLocation'>>): readonly string[] {
  if (!location) return [readBack ? 'The device has no location.' : 'The device has no set location any more.'];
  const { latitude, longitude, altitudeM, accuracyM } = location;
  const more = [
    ...(altitudeM === undefined ? [] : [`altitude ${altitudeM} m`]),
    ...(accuracyM === undefined ? [] : [`accuracy ${accuracyM} m`]),
  ];
  return [[`${latitude}, ${longitude}`, ...more].join(', ')];
}

function routeWords({ route, ...told }: NonNullable<ResultOf<'readLocation'>>): readonly string[] {
  if (!route) return locationWords(told);
  const { state, doneM, lengthM, speedMPerS } = route;
  return [...locationWords(told), `${state}, ${doneM} of ${lengthM} m, ${speedMPerS} m/s`];
}

function settingsWords(settings: ResultOf<'configureDevice'>): readonly string[] {
  const { appearance, locale, textScale, animations, network, downlinkKbps, uplinkKbps } = settings;
  const { networkDelayMs, networkLossPercent } = settings;
  return [
    ...(appearance === undefined ? [] : [`appearance ${appearance}`]),
    ...(locale === undefined ? [] : [`locale ${locale}`]),
    ...(textScale === undefined ? [] : [`text scale ${textScale}`]),
    ...(animations === undefined ? [] : [`animations ${animations ? 'on' : 'off'}`]),
    ...(network === undefined ? [] : [`network ${network}`]),
    ...(downlinkKbps ? [`at most ${downlinkKbps} kbit/s down`] : []),
    ...(uplinkKbps ? [`at most ${uplinkKbps} kbit/s up`] : []),
    ...(networkDelayMs ? [`answers ${networkDelayMs} ms later`] : []),
    ...(networkLossPercent ? [`${networkLossPercent} % of packets lost`] : []),
  ];
}

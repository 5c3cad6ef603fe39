import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Orientation } from '@runcloud/protocol';
import { parse } from 'plist';
import sharp from 'sharp';
import { DeviceFault } from '../../../server/device/fault.ts';
import { decodePhoto } from '../../../server/drivers/virtual/photo.ts';
import { writeCrashReport } from './crash-report.ts';
import { Guest, PANEL } from './guest.ts';
import { answerDefaults } from './guest-defaults.ts';
import type { StandInMac, StandInSimulator } from './stand-in-mac.ts';

export interface XcrunAnswer {
  readonly stdout?: string | Buffer;
  /** Zero bytes that the program prints after `stdout`. */
  readonly zeroBytes?: number;
  readonly stderr?: string;
  readonly exitCode?: number;
  /** It is said while the command runs, which ends when this settles. */
  readonly running?: (say: (out: string) => void, gone: AbortSignal) => Promise<void>;
}

export const RUNTIME = 'com.apple.CoreSimulator.SimRuntime.iOS-26-1';

/** The output of `simctl list runtimes available` as text, including runtimes that no other answer has. */
const RUNTIMES_TEXT = `== Runtimes ==
iOS 18.6 (18.6 - 22G86) - com.apple.CoreSimulator.SimRuntime.iOS-18-6
iOS 26.1 (26.1 - 23B80) - ${RUNTIME}
iOS 26.0 (26.0.1 - 23A8464) - com.apple.CoreSimulator.SimRuntime.iOS-26-0
iOS 27.0 (27.0 - 24A100) - com.apple.CoreSimulator.SimRuntime.iOS-27-0
tvOS 26.1 (26.1 - 23J579) - com.apple.CoreSimulator.SimRuntime.tvOS-26-1
`;

/** Device types, of which each has the same panel. */
export const TYPE_NAMES = ['iPhone Stand-In', 'iPhone Stand-In Max'];

const typeOf = (name: string) => `com.apple.CoreSimulator.SimDeviceType.${name.replaceAll(' ', '-')}`;

const failed = (domain: string, code: number, line: string, exitCode = code % 256): XcrunAnswer => ({
  exitCode,
  stderr:
    `An error was encountered processing the command (domain=${domain}, code=${code}):\n${line}\n` +
    `Underlying error (domain=${domain}, code=${code}):\n\t${line}\n`,
});

const wrongState = (what: string, state: string) =>
  failed('com.apple.CoreSimulator.SimError', 405, `Unable to ${what} device in current state: ${state}`);

/** Performs a documented command and returns its output. */
export async function answerXcrun(
  mac: StandInMac,
  args: readonly string[],
  input: Buffer,
  env: Readonly<Record<string, string>>,
): Promise<XcrunAnswer> {
  const [tool, ...rest] = args;
  if (tool === '-f') return { stdout: `/Applications/Xcode.app/Contents/Developer/usr/bin/${rest[0]}\n` };
  if (args.join(' ') === '--sdk iphonesimulator --show-sdk-version') return { stdout: '26.1\n' };
  if (tool === 'devicectl') return answerDevicectl(mac, rest);
  if (tool !== 'simctl') return { exitCode: 72, stderr: `xcrun: error: unable to find utility "${tool}"\n` };
  const [command = '', ...parameters] = rest;
  if (parameters.join(' ') === 'runtimes available') return { stdout: RUNTIMES_TEXT };
  if (command === 'list') return { stdout: JSON.stringify(listing(mac)) };
  if (command === 'create') return { stdout: `${create(mac, parameters[0] ?? '', parameters[1] ?? '').udid}\n` };
  const simulator = mac.simulators.find(({ udid }) => parameters.includes(udid));
  if (!simulator) return { exitCode: 148, stderr: `Invalid device: ${parameters[0]}\n` };
  const behind = parameters.slice(parameters.indexOf(simulator.udid) + 1);
  if (simulator.state === 'Booted' && command === 'pbcopy') {
    simulator.guest.pasteboard = new TextDecoder(encodingOf(env), { ignoreBOM: true }).decode(input);
    return {};
  }
  if (simulator.state === 'Booted' && command === 'pbpaste') {
    return { stdout: encoded(simulator.guest.pasteboard, encodingOf(env)) };
  }
  if (simulator.state === 'Booted' && command === 'push') return push(simulator.guest, behind, input);
  return answerSimctl(mac, command, simulator, behind, parameters.slice(0, parameters.indexOf(simulator.udid)));
}

/** Both commands of the pasteboard take the encoding from the locale; without one, it is that of old Macs. */
function encodingOf({ LC_ALL, LC_CTYPE, LANG }: Readonly<Record<string, string>>): 'utf-8' | 'macintosh' {
  return /\.utf-?8$/i.test(LC_ALL || LC_CTYPE || LANG || '') ? 'utf-8' : 'macintosh';
}

/** Of what an old Mac has no character for, a question mark is left; it had no other than those of ASCII in common with now. */
const encoded = (text: string, encoding: 'utf-8' | 'macintosh'): Buffer =>
  Buffer.from(encoding === 'utf-8' ? text : text.replaceAll(/[^\0-\x7f]/gu, '?'));

async function answerSimctl(
  mac: StandInMac,
  command: string,
  simulator: StandInSimulator,
  parameters: readonly string[],
  options: readonly string[],
): Promise<XcrunAnswer> {
  const { guest, state } = simulator;
  if (command === 'boot') {
    if (state !== 'Shutdown') return wrongState('boot', state);
    simulator.state = 'Booted';
    return {};
  }
  if (command === 'shutdown') {
    if (state === 'Shutdown') return wrongState('shutdown', state);
    simulator.state = 'Shutdown';
    guest.phone.close();
    guest.containers.close();
    return {};
  }
  if (command === 'delete') {
    mac.simulators.splice(mac.simulators.indexOf(simulator), 1);
    return {};
  }
  if (command === 'clone') {
    if (state !== 'Shutdown') return wrongState('clone', state);
    return { stdout: `${create(mac, parameters[0] ?? '', simulator.type).udid}\n` };
  }
  if (state !== 'Booted') return wrongState('lookup', state);
  switch (command) {
    case 'bootstatus':
      return { stdout: 'Monitoring boot status for Stand-In.\nDevice already booted, nothing to do.\n' };
    case 'install':
      return install(guest, parameters[0] ?? '');
    case 'get_app_container':
      return guest.containers.answer(parameters, (bundle) => isInstalled(guest, bundle));
    case 'addmedia':
      return addMedia(guest, parameters);
    case 'openurl':
      return openUrl(guest, parameters[0] ?? '');
    case 'io':
      return { stdout: await screenshot(guest) };
    case 'spawn':
      if (parameters[0] === 'notifyutil') return notifyUtil(guest, parameters.slice(1));
      if (parameters[0] === 'defaults') return answerDefaults(guest, parameters.slice(1));
      return parameters[0] === 'log' ? guest.log.answer(parameters) : launchctl(guest, parameters);
    case 'launch':
      return launch(mac, simulator, parameters, options);
    case 'listapps':
      return { stdout: listApps(guest) };
    case 'terminate':
      return terminate(guest, parameters[0] ?? '');
    case 'ui':
      return userInterface(guest, parameters);
    case 'privacy':
      return privacy(guest, parameters);
    case 'location':
      return setLocation(guest, parameters);
    case 'uninstall':
      guest.containers.removed(parameters[0] ?? '');
      guest.installed.splice(
        0,
        guest.installed.length,
        ...guest.installed.filter((app) => app.identifier !== parameters[0]),
      );
      return {};
    default:
      return { exitCode: 64, stderr: `Unrecognized subcommand: ${command}\n` };
  }
}

const SERVICES =
  'all calendar contacts-limited contacts location location-always photos-add photos media-library microphone motion reminders siri';

/** As `simctl help privacy` has it: an action, a service of its list, and an app, which only `reset` may leave out. */
function privacy(guest: Guest, [access = '', service = '', bundle]: readonly string[]): XcrunAnswer {
  if (!['grant', 'revoke', 'reset'].includes(access) || !SERVICES.split(' ').includes(service)) {
    return {
      exitCode: 64,
      stderr: 'Invalid action or service\nUsage: simctl privacy <device> <action> <service> [<bundle identifier>]\n',
    };
  }
  if (bundle === undefined && access !== 'reset') return { exitCode: 64, stderr: 'A bundle identifier is needed\n' };
  guest.privacy.push([access, service, bundle ?? '']);
  return {};
}

/**
 * As `simctl help push` has it: `[<bundle identifier>] (<json file> | -)`, where the payload is an object with `aps` of at most 4096 bytes,
 * which may name the app itself.
 */
function push(guest: Guest, words: readonly string[], input: Buffer): XcrunAnswer {
  const refused = (line: string) => failed('com.apple.CoreSimulator.SimError', 163, line);
  const [file = '', named] = [...words].reverse();
  if (words.length === 0 || words.length > 2)
    return { exitCode: 64, stderr: 'Usage: simctl push <device> [<bundle identifier>] (<json file> | -)\n' };
  const text = file === '-' ? input : readFileSync(file);
  let payload: unknown;
  try {
    payload = JSON.parse(text.toString());
  } catch {
    return refused('Invalid push payload. The data is not in the correct format.');
  }
  if (text.length > 4_096) return refused('Invalid push payload. Payloads must be 4096 bytes or less.');
  if (typeof payload !== 'object' || payload === null || !('aps' in payload)) {
    return refused("Invalid push payload. The 'aps' key is missing.");
  }
  const bundle = named ?? String((payload as Record<string, unknown>)['Simulator Target Bundle']);
  guest.pushed.push({ bundle, payload });
  return { stdout: `Notification sent to '${bundle}'\n` };
}

/** Apps of the guest have bundle identifiers here: the names that they have there, behind a domain. */
const DOMAIN = 'com.example.';

/** The app of the guest's phone with this bundle identifier. */
const ownApp = (guest: Guest, bundle: string): string | undefined =>
  guest.phone.apps.list().find(({ app }) => `${DOMAIN}${app}` === bundle)?.app;

const isInstalled = (guest: Guest, bundle: string): boolean =>
  ownApp(guest, bundle) !== undefined || guest.installed.some(({ identifier }) => identifier === bundle);

function launch(
  mac: StandInMac,
  { guest, udid }: StandInSimulator,
  [bundle = '', ...words]: readonly string[],
  options: readonly string[],
): XcrunAnswer {
  const app = ownApp(guest, bundle);
  if (!isInstalled(guest, bundle)) {
    return failed('FBSOpenApplicationServiceErrorDomain', 4, `The request to open "${bundle}" failed.`);
  }
  guest.launched.push({ bundle, words });
  if (app !== undefined && guest.inspect().foreground === app && options.includes('--terminate-running-process')) {
    guest.phone.reload(0);
  } else if (app !== undefined) guest.phone.launchApp({ app, arguments: {} }, 0);
  const reason = words.includes('-crash') ? words[words.indexOf('-crash') + 1] : undefined;
  if (app !== undefined && reason !== undefined) {
    guest.phone.closeApp(app);
    writeCrashReport(mac.tools.HOME ?? '', { udid, bundle, name: app, reason });
  }
  return { stdout: `${bundle}: 4711\n` };
}

function terminate(guest: Guest, bundle: string): XcrunAnswer {
  const app = ownApp(guest, bundle);
  if (app === undefined || guest.phone.apps.stateOf(app) === 'stopped') {
    return failed('NSPOSIXErrorDomain', 3, 'Simulator device failed to terminate it.\nfound nothing to terminate');
  }
  guest.phone.closeApp(app);
  return {};
}

/** `UIContentSizeCategory` by size; the phone's text has the size of the body's, by Apple's typography. */
const CONTENT_SIZES: Readonly<Record<string, number>> = {
  'extra-small': 14 / 17,
  small: 15 / 17,
  medium: 16 / 17,
  large: 1,
  'extra-large': 19 / 17,
  'extra-extra-large': 21 / 17,
  'extra-extra-extra-large': 23 / 17,
  'accessibility-medium': 28 / 17,
  'accessibility-large': 33 / 17,
  'accessibility-extra-large': 40 / 17,
  'accessibility-extra-extra-large': 47 / 17,
  'accessibility-extra-extra-extra-large': 53 / 17,
};

function userInterface(guest: Guest, [option, value, ...more]: readonly string[]): XcrunAnswer {
  const usage = { exitCode: 64, stderr: 'Usage: simctl ui <device> <option> [<arguments>]\n' };
  if (more.length > 0) return usage;
  if (option === 'appearance') {
    if (value === undefined) return { stdout: `${guest.phone.settings.appearance}\n` };
    if (value !== 'light' && value !== 'dark') return usage;
    guest.phone.settings.setAppearance(value);
    return {};
  }
  if (option !== 'content_size') return usage;
  if (value === undefined) return { stdout: `${guest.contentSize}\n` };
  const scale = CONTENT_SIZES[value];
  if (scale === undefined) return usage;
  guest.contentSize = value;
  guest.phone.settings.setTextScale(scale);
  return {};
}

/** Degrees in decimals; a minus of their own does not make them an option. */
const POINT = /^(-?[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?)$/;

function setLocation(guest: Guest, [verb, ...words]: readonly string[]): XcrunAnswer {
  const [, latitude, longitude] = POINT.exec(words[0] ?? '') ?? [];
  clearInterval(guest.moving);
  if (verb === 'clear' && words.length === 0) guest.phone.location = undefined;
  else if (verb === 'start') return startRoute(guest, words);
  else if (verb === 'set' && latitude !== undefined && words.length === 1) {
    guest.phone.location = { latitude: Number(latitude), longitude: Number(longitude) };
  } else return { exitCode: 64, stderr: 'Usage: simctl location <device> <action> [<arguments>]\n' };
  return {};
}

/**
 * `start [--speed=<metres/second>] [--distance=<metres>|--interval=<seconds>] <lat,lon> <lat,lon> ...`, as `simctl help location` has it:
 * at 20 m/s, told each second, if nothing is said.
 */
function startRoute(guest: Guest, words: readonly string[]): XcrunAnswer {
  const usage = { exitCode: 64, stderr: 'Usage: simctl location <device> <action> [<arguments>]\n' };
  const optionOf = (name: string, usual: number) => {
    const given = words.find((word) => word.startsWith(`--${name}=`));
    return given === undefined ? usual : Number(given.slice(name.length + 3));
  };
  const points = words.filter((word) => !word.startsWith('--')).map((word) => POINT.exec(word)?.slice(1).map(Number));
  const [speed, everyS] = [optionOf('speed', 20), optionOf('interval', 1)];
  if (points.length < 2 || points.some((point) => !point) || !(speed > 0) || !(everyS > 0)) return usage;
  const way = points as [number, number][];
  const METRES_OF_DEGREE = 111_195;
  const startedMs = performance.now();
  const tell = () => {
    let left = ((performance.now() - startedMs) / 1_000) * speed;
    for (const [index, [latitude, longitude]] of way.entries()) {
      const [north, east] = way[index + 1] ?? [latitude, longitude];
      const across = Math.cos((latitude * Math.PI) / 180);
      const long = METRES_OF_DEGREE * Math.hypot(north - latitude, (east - longitude) * across);
      if (left < long || index === way.length - 1) {
        const share = long === 0 ? 0 : left / long;
        guest.phone.location = {
          latitude: latitude + (north - latitude) * share,
          longitude: longitude + (east - longitude) * share,
        };
        return;
      }
      left -= long;
    }
  };
  tell();
  guest.moving = setInterval(tell, everyS * 1_000).unref();
  return {};
}

/** As Foundation describes a dictionary. */
function listApps(guest: Guest): string {
  const entry = (bundle: string, name: string, kind: string) =>
    `    "${bundle}" =     {\n        ApplicationType = ${kind};\n        Bundle = "file:///nowhere/${bundle}.app/";\n` +
    `        CFBundleDisplayName = "${name}";\n        CFBundleIdentifier = "${bundle}";\n        CFBundleVersion = 7;\n` +
    '        GroupContainers =         {\n        };\n        SBAppTags =         (\n        );\n    };\n';
  const own = guest.phone.apps.list().map(({ app, name }) => entry(`${DOMAIN}${app}`, name ?? '', 'System'));
  const others = guest.installed.map(({ identifier }) => entry(identifier, '\\U00dcbung', 'User'));
  return `{\n${[...own, ...others].join('')}}\n`;
}

function create(mac: StandInMac, name: string, type: string): StandInSimulator {
  const simulator = { udid: randomUUID().toUpperCase(), name, type, state: 'Shutdown', guest: new Guest() };
  mac.simulators.push(simulator);
  return simulator;
}

function listing(mac: StandInMac): object {
  const devices = mac.simulators.map(({ udid, name, state, type }) => ({
    udid,
    name,
    state,
    isAvailable: true,
    deviceTypeIdentifier: type,
    dataPath: '/nowhere',
    logPath: '/nowhere',
  }));
  return {
    devices: { [RUNTIME]: devices },
    devicetypes: TYPE_NAMES.map((name) => ({ identifier: typeOf(name), name, productFamily: 'iPhone' })),
    runtimes: [
      {
        identifier: RUNTIME,
        version: '26.1',
        buildversion: '23B80',
        name: 'iOS 26.1',
        isAvailable: true,
        supportedDeviceTypes: TYPE_NAMES.map((name) => ({ identifier: typeOf(name), name })),
      },
    ],
    pairs: {},
  };
}

/** A folder with a readable Info.plist; archives are none. */
function install(guest: Guest, path: string): XcrunAnswer {
  try {
    const info = parse(readFileSync(join(path, 'Info.plist'), 'utf8')) as Record<string, unknown>;
    const types = (info.CFBundleURLTypes ?? []) as { CFBundleURLSchemes?: string[] }[];
    const schemes = types.flatMap(({ CFBundleURLSchemes = [] }) =>
      CFBundleURLSchemes.map((name) => name.toLowerCase()),
    );
    const identifier = String(info.CFBundleIdentifier);
    const place = guest.installed.findIndex((app) => app.identifier === identifier);
    const app = { path, identifier, schemes, files: readdirSync(path) };
    guest.installed.splice(place < 0 ? guest.installed.length : place, place < 0 ? 0 : 1, app);
    return {};
  } catch {
    return failed('IXErrorDomain', 13, `Failed to install the requested application\nThe app at ${path} is not valid.`);
  }
}

/** It takes files by their extensions, and reads them. */
async function addMedia(guest: Guest, paths: readonly string[]): Promise<XcrunAnswer> {
  if (paths.length === 0) return { exitCode: 64, stderr: 'Usage: simctl addmedia <device> <path> [... <path>]\n' };
  for (const path of paths) {
    if (/\.(?:mp4|mov)$/.test(path)) continue;
    try {
      if (!/\.(?:jpe?g|png|gif|webp|heic)$/.test(path)) throw new Error('no picture');
      guest.phone.photos.add(await decodePhoto(basename(path), path, guest.phone.photos.sizes));
    } catch {
      return failed('PHPhotosErrorDomain', -1, `Failed to import media at ${path}`, 1);
    }
  }
  return {};
}

function openUrl(guest: Guest, url: string): XcrunAnswer {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (guest.installed.some(({ schemes }) => schemes.includes(scheme))) {
    guest.handed.push(url);
    return {};
  }
  try {
    guest.phone.openUrl(url, 0);
    return {};
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.kind !== 'unhandled') throw error;
    return failed('LSApplicationWorkspaceErrorDomain', 115, `Simulator device failed to open ${url}.`);
  }
}

async function screenshot(guest: Guest): Promise<Buffer> {
  const { pixels, width, height } = guest.picture();
  return sharp(Buffer.from(pixels), { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** As its manual page has it: `-s key value` sets a state, `-g key` prints it, `-p key` posts; a state is heard of when its key is posted. */
function notifyUtil(guest: Guest, [option, key = '', value]: readonly string[]): XcrunAnswer {
  const { states, posted } = guest.notifications;
  if (option === '-s' && value !== undefined) states.set(key, value);
  else if (option === '-p' && value === undefined) posted.push(key);
  else if (option !== '-g')
    return { exitCode: 1, stderr: 'usage: notifyutil [-q] [-v] [-z] [-M] [-R] [command ...]\n' };
  return option === '-g' ? { stdout: `${key} ${states.get(key) ?? 0}\n` } : {};
}

function launchctl(guest: Guest, [program, command, what = '']: readonly string[]): XcrunAnswer {
  if (program !== 'launchctl' || command !== 'print') return { exitCode: 2, stderr: 'No such file or directory\n' };
  const { foreground } = guest.inspect();
  const app = foreground === 'home' || foreground === 'switcher' ? undefined : `${DOMAIN}${foreground}`;
  const running = guest.phone.apps.list().filter(({ state }) => state !== 'stopped');
  if (what === 'user/501') {
    const lines = [`${DOMAIN}behind`, ...running.map((one) => `${DOMAIN}${one.app}`)].map(
      (bundle, index) => `\t\t    ${8000 + index}      - \tUIKitApplication:${bundle}[9b2f][rb-legacy]`,
    );
    return { stdout: `user/501 = {\n\ttype = user\n\tservices = {\n${lines.join('\n')}\n\t}\n}\n` };
  }
  const focal = app !== undefined && what.includes(`:${app}[`);
  return { stdout: `${what} = {\n\tstate = running\n\tspawn role = ui ${focal ? 'focal' : 'non focal'} (1)\n}\n` };
}

const DEVICE_WORDS: Readonly<Record<string, Orientation>> = {
  portrait: 'portrait',
  portraitUpsideDown: 'portrait_upside_down',
  landscapeLeft: 'landscape_right',
  landscapeRight: 'landscape_left',
};

const INTERFACE_WORDS: Readonly<Record<Orientation, string>> = {
  portrait: 'portrait',
  portrait_upside_down: 'portraitUpsideDown',
  landscape_left: 'landscapeLeft',
  landscape_right: 'landscapeRight',
};

function answerDevicectl(mac: StandInMac, args: readonly string[]): XcrunAnswer {
  if (!mac.options.devicectl) return { exitCode: 64, stderr: "Error: Unexpected argument 'orientation'\n" };
  if (args.includes('--help')) return { stdout: 'OVERVIEW: Set the orientation of a device.\n' };
  const udid = args[args.indexOf('-d') + 1];
  const simulator = mac.simulators.find((other) => other.udid === udid);
  const info = (outcome: string) => ({
    arguments: args,
    commandType: 'devicectl',
    jsonVersion: 5,
    outcome,
    version: '1',
  });
  if (!simulator) {
    const error = {
      domain: 'com.apple.dt.CoreDeviceError',
      code: 1000,
      userInfo: { NSLocalizedDescription: { string: 'The device was not found.' } },
    };
    return { exitCode: 1, stdout: JSON.stringify({ info: info('failed'), error }) };
  }
  const word = DEVICE_WORDS[args[args.indexOf('-d') + 2] ?? ''];
  if (args[1] === 'orientation' && word) simulator.guest.rotate(word);
  const currentOrientation = INTERFACE_WORDS[simulator.guest.phone.orientation];
  const displays = [
    { primary: true, active: true, nativeSize: [590, 1280], pointScale: PANEL.scale, currentOrientation },
  ];
  return { stdout: JSON.stringify({ info: info('success'), result: { displays } }) };
}

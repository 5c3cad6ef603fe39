import { basename } from 'node:path';
import sharp from 'sharp';
import { decodePhoto } from '../../../server/drivers/virtual/photo.ts';
import { answerDevicectl } from './devicectl-answers.ts';
import type { Guest } from './guest.ts';
import { DOMAIN, install, isInstalled, launch, listApps, openUrl, privacy, push, terminate } from './guest-apps.ts';
import { answerDefaults } from './guest-defaults.ts';
import { setLocation } from './guest-location.ts';
import { answerShelf, create, listing, RUNTIME } from './simulator-shelf.ts';
import type { StandInMac, StandInSimulator } from './stand-in-mac.ts';
import { failed, wrongState, type XcrunAnswer } from './xcrun-answer.ts';

/** The output of `simctl list runtimes available` as text, including runtimes that no other answer has. */
const RUNTIMES_TEXT = `== Runtimes ==
iOS 18.6 (18.6 - 22G86) - com.apple.CoreSimulator.SimRuntime.iOS-18-6
iOS 26.1 (26.1 - 23B80) - ${RUNTIME}
iOS 26.0 (26.0.1 - 23A8464) - com.apple.CoreSimulator.SimRuntime.iOS-26-0
iOS 27.0 (27.0 - 24A100) - com.apple.CoreSimulator.SimRuntime.iOS-27-0
tvOS 26.1 (26.1 - 23J579) - com.apple.CoreSimulator.SimRuntime.tvOS-26-1
`;

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
  const moved = answerShelf(mac, command, simulator, parameters[0] ?? '');
  if (moved) return moved;
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
  if (value === undefined) return { stdout: `${guest.disk.contentSize}\n` };
  const scale = CONTENT_SIZES[value];
  if (scale === undefined) return usage;
  guest.disk.contentSize = value;
  guest.phone.settings.setTextScale(scale);
  return {};
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

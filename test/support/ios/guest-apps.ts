import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'plist';
import { DeviceFault } from '../../../server/device/fault.ts';
import { writeCrashReport } from './crash-report.ts';
import type { Guest } from './guest.ts';
import type { StandInMac, StandInSimulator } from './stand-in-mac.ts';
import { failed, type XcrunAnswer } from './xcrun-answer.ts';

const SERVICES =
  'all calendar contacts-limited contacts location location-always photos-add photos media-library microphone motion reminders siri';

/** As `simctl help privacy` has it: an action, a service of its list, and an app, which only `reset` may leave out. */
export function privacy(guest: Guest, [access = '', service = '', bundle]: readonly string[]): XcrunAnswer {
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
export function push(guest: Guest, words: readonly string[], input: Buffer): XcrunAnswer {
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
export const DOMAIN = 'com.example.';

/** The app of the guest's phone with this bundle identifier. */
const ownApp = (guest: Guest, bundle: string): string | undefined =>
  guest.phone.apps.list().find(({ app }) => `${DOMAIN}${app}` === bundle)?.app;

export const isInstalled = (guest: Guest, bundle: string): boolean =>
  ownApp(guest, bundle) !== undefined || guest.installed.some(({ identifier }) => identifier === bundle);

export function launch(
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

export function terminate(guest: Guest, bundle: string): XcrunAnswer {
  const app = ownApp(guest, bundle);
  if (app === undefined || guest.phone.apps.stateOf(app) === 'stopped') {
    return failed('NSPOSIXErrorDomain', 3, 'Simulator device failed to terminate it.\nfound nothing to terminate');
  }
  guest.phone.closeApp(app);
  return {};
}

/** As Foundation describes a dictionary. */
export function listApps(guest: Guest): string {
  const entry = (bundle: string, name: string, kind: string) =>
    `    "${bundle}" =     {\n        ApplicationType = ${kind};\n        Bundle = "file:///nowhere/${bundle}.app/";\n` +
    `        CFBundleDisplayName = "${name}";\n        CFBundleIdentifier = "${bundle}";\n        CFBundleVersion = 7;\n` +
    '        GroupContainers =         {\n        };\n        SBAppTags =         (\n        );\n    };\n';
  const own = guest.phone.apps.list().map(({ app, name }) => entry(`${DOMAIN}${app}`, name ?? '', 'System'));
  const others = guest.installed.map(({ identifier }) => entry(identifier, '\\U00dcbung', 'User'));
  return `{\n${[...own, ...others].join('')}}\n`;
}

/** A folder with a readable Info.plist; archives are none. */
export function install(guest: Guest, path: string): XcrunAnswer {
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

export function openUrl(guest: Guest, url: string): XcrunAnswer {
  const scheme = url.slice(0, url.indexOf(':')).toLowerCase();
  if (guest.installed.some(({ schemes }) => schemes.includes(scheme))) {
    guest.handed.push(url);
    return {};
  }
  try {
    guest.openUrl(url);
    return {};
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.kind !== 'unhandled') throw error;
    return failed('LSApplicationWorkspaceErrorDomain', 115, `Simulator device failed to open ${url}.`);
  }
}

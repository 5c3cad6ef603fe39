import type { Access, Permission, PermissionState } from '@runcloud/protocol';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { GuestShell } from '../adb/guest-shell.ts';

/** The system's names of what apps ask for (android.Manifest.permission); the first list of which an app asks for some counts. */
const NAMES: Readonly<Record<Permission, readonly (readonly string[])[]>> = {
  calendar: [['READ_CALENDAR', 'WRITE_CALENDAR']],
  camera: [['CAMERA']],
  contacts: [['READ_CONTACTS', 'WRITE_CONTACTS']],
  location: [['ACCESS_FINE_LOCATION', 'ACCESS_COARSE_LOCATION']],
  microphone: [['RECORD_AUDIO']],
  // Since Android 13.
  notifications: [['POST_NOTIFICATIONS']],
  // The last one before Android 13.
  photos: [['READ_MEDIA_IMAGES', 'READ_MEDIA_VIDEO'], ['READ_EXTERNAL_STORAGE']],
};

/** What a person who decided has left: without these, the app asks anew. */
const DECIDED = ['user-set', 'user-fixed'] as const;

interface Told {
  readonly granted: boolean;
  readonly decided: boolean;
}

/** Decides of a permission of an app by the package manager; resolves with what `dumpsys` tells then. Rejects with `DeviceFault`s. */
export async function setGuestPermission(
  shell: GuestShell,
  app: string,
  permission: Permission,
  access: Access,
  signal: AbortSignal,
): Promise<PermissionState> {
  const asked = requested(await dump(shell, app, signal));
  const names = NAMES[permission]
    .map((list) => list.filter((name) => asked.has(name)))
    .find(({ length }) => length > 0);
  if (!names) throw new DeviceFault('failed', `The app ${app} does not ask for "${permission}" on this device.`);
  const pm = async (verb: string, name: string, flags: readonly string[] = []) => {
    const words = ['pm', verb, app, `android.permission.${name}`, ...flags];
    const { exitCode, output } = await shell.run(words, { signal });
    if (exitCode !== 0 || /exception|^error/im.test(output)) {
      throw new DeviceFault('failed', `The device did not ${access} "${permission}" of ${app}: ${plainLine(output)}`);
    }
  };
  for (const name of names) {
    await pm(access === 'grant' ? 'grant' : 'revoke', name);
    // A revoked permission is asked for again unless a person has said no for good.
    if (access !== 'grant')
      await pm(access === 'revoke' ? 'set-permission-flags' : 'clear-permission-flags', name, DECIDED);
  }
  return stateOf(await dump(shell, app, signal), names);
}

const dump = (shell: GuestShell, app: string, signal: AbortSignal): Promise<string> =>
  shell.must(['dumpsys', 'package', app], { signal });

/** The names that the app's manifest asks for, without those of other makers. */
function requested(text: string): ReadonlySet<string> {
  const [, behind = ''] = text.split(/^ *requested permissions:$/m);
  const names = new Set<string>();
  for (const line of behind.split('\n').slice(1)) {
    const found = /^ +([\w.]+)(?::.*)?$/.exec(line.trimEnd());
    if (!found || line.trimEnd().endsWith(':')) break;
    const [, name = ''] = found;
    if (name.startsWith('android.permission.')) names.add(name.slice('android.permission.'.length));
  }
  return names;
}

/** Of the first user, whom `pm` means as well. Granted where one of them is: the system takes the coarser one for it then. */
function stateOf(text: string, names: readonly string[]): PermissionState {
  const [, behind = ''] = text.split(/^ *User 0:/m);
  const [user = ''] = behind.split(/^ *User \d+:/m);
  const told = names.map((name): Told => {
    const found = new RegExp(
      `^ *android\\.permission\\.${name}: granted=(true|false)(?:, flags=\\[([^\\]]*)\\])?`,
      'm',
    );
    const [, granted, flags = ''] = found.exec(user) ?? [];
    return { granted: granted === 'true', decided: /\bUSER_(?:SET|FIXED)\b/.test(flags) };
  });
  if (told.some(({ granted }) => granted)) return 'granted';
  return told.some(({ decided }) => decided) ? 'denied' : 'undecided';
}

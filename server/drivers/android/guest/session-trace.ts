import type { GuestShell } from '../adb/guest-shell.ts';
import { isPackageName } from './texts.ts';

/**
 * A record, on the device itself, of how a session has changed the device. There it outlives this process and the emulator,
 * as the changes do, and a snapshot that undoes the changes removes it, too.
 */
export interface Trace {
  /** Packages that the session brought along. */
  readonly installed: readonly string[];
  /** Packages that it has used. */
  readonly used: readonly string[];
  /** Settings from before it, in the order of `SETTINGS`; `null` for what was never set. */
  readonly settings: readonly string[];
  /** Where the device was before it, in words of its own; none where that cannot be set. */
  readonly place: readonly string[];
  /** How slow its network was before it, in words of its own; none where that cannot be set. */
  readonly network: readonly string[];
  /** The id of the session; empty where it was not noted. */
  readonly session: string;
}

const PLACE = ['global', 'runcloud_session'] as const;
/** Stands for a value that is left as it is. */
const UNKNOWN = '?';
/** Far beyond what a session leaves; a longer note is not one of this service. */
const NOTE_CHARACTERS_MAX = 16_384;

/**
 * The changes that the session before left behind; `undefined` when it ended properly. Rejects with a `DeviceFault`.
 */
export async function readTrace(shell: GuestShell): Promise<Trace | undefined> {
  return parseTrace((await shell.must(['settings', 'get', ...PLACE])).trim());
}

/** Rejects with a `DeviceFault`. */
export async function writeTrace(shell: GuestShell, trace: Trace): Promise<void> {
  await shell.must(['settings', 'put', ...PLACE, formatTrace(trace)]);
}

/** Rejects with a `DeviceFault`. */
export async function removeTrace(shell: GuestShell): Promise<void> {
  await shell.run(['settings', 'delete', ...PLACE]);
}

export const formatTrace = ({ installed, used, settings, place, network, session }: Trace): string =>
  [installed, used, settings.map((value) => (isSettingValue(value) ? value : UNKNOWN)), place, network, [session]]
    .map((words) => words.join(','))
    .join(';');

/** Parses a note; `undefined` for a value that this service has not written. */
export function parseTrace(note: string): Trace | undefined {
  if (note.length > NOTE_CHARACTERS_MAX) return undefined;
  const parts = note.split(';').map((part) => part.split(',').filter((word) => word !== ''));
  const [installed = [], used = [], settings = [], place = [], network = [], [session = ''] = []] = parts;
  // Notes of earlier versions have no place, no network, or no session.
  if (parts.length < 3 || parts.length > 6 || ![...place, ...network].every(isSettingValue)) return undefined;
  if (![...installed, ...used].every(isPackageName) || !settings.every(isKnown)) return undefined;
  if (session !== '' && !isSettingValue(session)) return undefined;
  return { installed, used, settings, place, network, session };
}

const isKnown = (value: string): boolean => value === UNKNOWN || isSettingValue(value);

/** Values that this service puts back; others are left as they are. */
export const isSettingValue = (value: string): boolean => /^[\w.-]{1,64}$/.test(value);

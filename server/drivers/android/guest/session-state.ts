import type { GuestShell } from '../adb/guest-shell.ts';
import type { Guest } from './guest.ts';
import { removeMedia } from './guest-media.ts';
import {
  type AirplaneMode,
  airplaneMode,
  CONFIGURED,
  nightMode,
  setAirplaneMode,
  setNightMode,
} from './guest-settings.ts';
import { isSettingValue, readTrace, removeTrace } from './session-trace.ts';
import { undoSharedChanges } from './shared-changes.ts';
import { listedPackages } from './texts.ts';

/** Settings that a session can change through this service. */
const SETTINGS = [
  ['system', 'accelerometer_rotation'],
  ['system', 'user_rotation'],
  ['secure', 'show_ime_with_hard_keyboard'],
  ...CONFIGURED,
] as const;

/** Where the values that are no settings stand behind them. */
const NIGHT_AT = SETTINGS.length;
const AIRPLANE_AT = NIGHT_AT + 1;

const RESTORE_MS_MAX = 4_000;

/** The state of a device before a session, or before the first session of an emulator that the service started. */
export interface Baseline {
  readonly packages: ReadonlySet<string>;
  /**
   * As `settings get` prints them, `null` for what was never set; behind them the night mode and the airplane mode, `null` where there is
   * none.
   */
  readonly settings: readonly string[];
}

/** Reads what every session is to begin with: what the device is like, but for what a session has left on it. */
export async function readBaseline(shell: GuestShell): Promise<Baseline> {
  const left = await readTrace(shell);
  const packages = new Set(listedPackages(await shell.must(['pm', 'list', 'packages', '-3'])));
  for (const name of left?.installed ?? []) packages.delete(name);
  const settings: string[] = [];
  for (const [index, [space, name]] of SETTINGS.entries()) {
    settings.push(left?.settings[index] ?? (await shell.must(['settings', 'get', space, name])).trim());
  }
  settings.push(left?.settings[NIGHT_AT] ?? (await nightMode(shell)) ?? 'null');
  settings.push(left?.settings[AIRPLANE_AT] ?? (await airplaneMode(shell)) ?? 'null');
  return { packages, settings };
}

/**
 * Makes the device what it was: removes apps that came since, empties those that a session has used, restores settings.
 * @param used packages that were in front or were handed something
 */
export async function restoreBaseline(
  shell: GuestShell,
  guest: Guest,
  baseline: Baseline,
  used: ReadonlySet<string>,
): Promise<void> {
  const present = listedPackages(await shell.must(['pm', 'list', 'packages', '-3'], { timeoutMs: RESTORE_MS_MAX }));
  for (const name of present) if (!baseline.packages.has(name)) await guest.uninstall(name);
  // The packages that the session installed are gone already.
  for (const name of used) if (await guest.isApp(name)) await guest.clear(name);
  for (const [index, [space, name]] of SETTINGS.entries()) {
    const value = baseline.settings[index] ?? 'null';
    if (value === 'null') await shell.run(['settings', 'delete', space, name]);
    else if (isSettingValue(value)) await shell.run(['settings', 'put', space, name, value]);
  }
  const night = baseline.settings[NIGHT_AT] ?? 'null';
  if (night !== 'null' && (await nightMode(shell)) !== night) await setNightMode(shell, night);
  const airplane = baseline.settings[AIRPLANE_AT];
  if (isAirplaneMode(airplane) && (await airplaneMode(shell)) !== airplane) await setAirplaneMode(shell, airplane);
  await removeMedia(shell);
  await undoSharedChanges(shell);
  await removeTrace(shell);
}

const isAirplaneMode = (value: string | undefined): value is AirplaneMode => value === 'enable' || value === 'disable';

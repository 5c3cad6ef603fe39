import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { findProgram } from '../process/find-program.ts';
import type { SimulatorHelper } from './helper.ts';
import { modifierUsage } from './hid-usage.ts';
import { IdbCompanion } from './idb/idb-companion.ts';
import { ServeSim } from './serve-sim/serve-sim.ts';
import type { Udid } from './udid.ts';

/** Where Homebrew puts programs, on both kinds of Mac. */
const FOLDERS = ['/opt/homebrew/bin', '/usr/local/bin'];

/** The best one first. */
export const HELPERS = ['serve-sim', 'idb_companion'] as const;

/** The absolute path of a helper; `undefined` where it is not installed. */
export const helperPath = (name: (typeof HELPERS)[number], tools: ToolEnvironment): string | undefined =>
  findProgram(name, tools, FOLDERS);

export const HELPER_REMEDY =
  'install a helper for simulators, with `npm install --global serve-sim@0.1.47`, ' +
  'or with `brew install facebook/fb/idb-companion` (which has no gestures of two fingers)';

/** Starts a helper for one simulator, which has sent something when this settles. */
export type StartHelper = (udid: Udid) => Promise<SimulatorHelper>;

/** The best helper that the operator has installed; throws an `unavailable` fault where there is none. */
export function findHelper(tools: ToolEnvironment): StartHelper {
  const serveSim = helperPath('serve-sim', tools);
  if (serveSim !== undefined) return (udid) => announced(ServeSim.start(serveSim, udid, tools));
  const companion = helperPath('idb_companion', tools);
  if (companion !== undefined) return (udid) => announced(IdbCompanion.start(companion, udid, tools));
  throw new DeviceFault('unavailable', `the program \`serve-sim\` is missing: ${HELPER_REMEDY}`);
}

/**
 * Sends a press of a shift key, which does nothing: Xcode 27's Device Hub disconnects older input services when it attaches to
 * a simulator, but not one that has sent something before. Whether inputs arrive is proved when a session begins.
 */
async function announced(starting: Promise<SimulatorHelper>): Promise<SimulatorHelper> {
  const helper = await starting;
  try {
    helper.key('down', modifierUsage('shift'));
    helper.key('up', modifierUsage('shift'));
    await helper.taken();
    return helper;
  } catch (error) {
    await helper.close();
    throw error;
  }
}

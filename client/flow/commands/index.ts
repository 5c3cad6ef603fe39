import type { Commands } from '../step.ts';
import { CONTROL } from './control.ts';
import { DEVICE } from './device.ts';
import { LOOK } from './look.ts';
import { TEXT } from './text.ts';
import { TOUCH } from './touch.ts';

export const COMMANDS: Commands = { ...TOUCH, ...TEXT, ...LOOK, ...DEVICE, ...CONTROL };

const SCRIPT = 'JavaScript is not run';
const MODEL = 'no language model is asked';
const NETWORK = 'the network of a device cannot be changed';
const RANDOM = 'a flow types the same each time; use "inputText"';

/** Commands of the format that cannot be carried out here, each with the reason. */
export const REFUSED: Readonly<Record<string, string>> = {
  evalScript: SCRIPT,
  runScript: SCRIPT,
  assertTrue: `${SCRIPT}; use "assertVisible"`,
  assertWithAI: MODEL,
  assertNoDefectsWithAI: MODEL,
  extractTextWithAI: MODEL,
  assertScreenshot: 'pictures are not compared; use "assertVisible"',
  setAirplaneMode: NETWORK,
  toggleAirplaneMode: NETWORK,
  inputRandomText: RANDOM,
  inputRandomNumber: RANDOM,
  inputRandomEmail: RANDOM,
  inputRandomPersonName: RANDOM,
  inputRandomCityName: RANDOM,
  inputRandomCountryName: RANDOM,
  inputRandomColorName: RANDOM,
  addMedia: 'no files are put on a device',
  installApp: 'create the session with the app, by "runcloud session create --app ID"',
  travel: 'use "setLocation" for each place',
  clearKeychain: 'no driver can clear it',
  setPermissions: 'apps have the permissions that the device gives them',
  action: 'it is an older form; name the command itself',
};

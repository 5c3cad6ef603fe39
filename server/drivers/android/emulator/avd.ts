import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DeviceDescriptor } from '../../../device/driver.ts';
import type { ToolEnvironment } from '../../../device/target.ts';
import { DPI_OF_ONE } from '../guest/texts.ts';
import { parseIni } from './running-emulators.ts';

export const DRIVER_NAME = 'android-emulator';

const avdFolder = (tools: ToolEnvironment): string =>
  tools.ANDROID_AVD_HOME ?? join(tools.ANDROID_USER_HOME ?? join(tools.HOME ?? homedir(), '.android'), 'avd');

/** The names of this user's AVDs. */
export function listAvds(tools: ToolEnvironment): string[] {
  try {
    return readdirSync(avdFolder(tools)).flatMap((name) => /^([A-Za-z0-9._-]{1,128})\.ini$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

export const hasAvd = (name: string, tools: ToolEnvironment): boolean =>
  existsSync(join(avdFolder(tools), `${name}.ini`));

/** Describes the device by its AVD's configuration, as far as that can be read. */
export function describeAvd(name: string, tools: ToolEnvironment): DeviceDescriptor {
  const config = readConfig(name, tools);
  const number = (key: string, fallback: number) => {
    const value = Number(config.get(key));
    return Number.isInteger(value) && value > 0 && value <= 16_384 ? value : fallback;
  };
  const api = /android-(\d{1,3})/.exec(config.get('image.sysdir.1') ?? '')?.[1];
  return {
    model: name,
    osVersion: api === undefined ? 'unknown' : `API ${api}`,
    width: number('hw.lcd.width', 1_080),
    height: number('hw.lcd.height', 1_920),
    scale: number('hw.lcd.density', 2 * DPI_OF_ONE) / DPI_OF_ONE,
    driver: DRIVER_NAME,
  };
}

/** The folder with an AVD's content. */
export function avdContent(name: string, tools: ToolEnvironment): string {
  const folder = avdFolder(tools);
  const usual = join(folder, `${name}.avd`);
  try {
    return parseIni(readFileSync(join(folder, `${name}.ini`), 'utf8')).get('path') ?? usual;
  } catch {
    return usual;
  }
}

function readConfig(name: string, tools: ToolEnvironment): Map<string, string> {
  try {
    return parseIni(readFileSync(join(avdContent(name, tools), 'config.ini'), 'utf8'));
  } catch {
    return new Map();
  }
}

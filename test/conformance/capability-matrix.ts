import { ACTION_NAMES, type DeviceCapabilities, type Platform } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '@runcloud/protocol/terms';
import { abilities, type DriverUnderTest } from './drivers.ts';

interface Column {
  readonly title: string;
  readonly platform: Platform;
  readonly can: DeviceCapabilities;
  readonly keepsState: DriverUnderTest['keepsState'];
}

/** What a reader calls the devices of a driver; two versions of a driver are one column. */
const TITLES: Readonly<Record<string, string>> = {
  virtual: 'Virtual',
  'android-emulator': 'Android Emulator',
  'android-scrcpy-4.1': 'Android by scrcpy',
  'android-adb': 'Android by adb alone',
  'ios-simulator': 'iOS Simulator by serve-sim',
  'ios-simulator-idb': 'iOS Simulator by idb_companion',
};

const YES = 'yes';
const NO = '–';
const said = (value: boolean | undefined): string => (value ? YES : NO);

/** What actions do not tell. */
const OTHERS: Readonly<Record<string, (can: DeviceCapabilities, column: Column) => string>> = {
  'fingers at once': ({ fingers }) => String(fingers),
  'free gestures, live fingers': ({ freeGestures }) => said(freeGestures),
  'presses of any length': ({ holds }) => said(holds),
  'keys with modifiers': ({ modifiers }) => said(modifiers),
  'lock keys': ({ lockKeys }) => said(lockKeys),
  clipboard: ({ clipboard }) => said(clipboard),
  snapshots: ({ snapshots }, { keepsState }) => (keepsState === 'if started' ? keepsState : said(snapshots)),
  'what is on the screen': ({ ui }) => said(ui),
  'pictures for the photo library': ({ media }) => said(media),
  files: ({ files }) => said(files),
  log: ({ logs }) => said(logs),
};

/**
 * The capabilities of the devices of all drivers as a table in Markdown. They are those that the conformance suite holds each
 * driver to.
 */
export function capabilityMatrix(drivers: readonly DriverUnderTest[]): string {
  const columns = drivers.flatMap((driver) => {
    const title = TITLES[driver.name];
    if (title === undefined) return [];
    return driver.platforms.map((platform): Column => {
      const name = driver.platforms.length > 1 ? `${title} ${PLATFORM_NAMES[platform]}` : title;
      return { title: name, platform, can: abilities(driver, platform), keepsState: driver.keepsState };
    });
  });
  const actions = ACTION_NAMES.map((name) => [
    `\`${name}\``,
    ...columns.map(({ can }) => said(can.actions.includes(name))),
  ]);
  const others = Object.entries(OTHERS).map(([name, of]) => [name, ...columns.map((column) => of(column.can, column))]);
  // What all devices can is told in one sentence above the table.
  const differ = [...actions, ...others].filter(([, ...cells]) => new Set(cells).size > 1 || cells[0] === NO);
  const same = actions.filter((row) => !differ.includes(row)).map(([name]) => name);
  const alsoSame = others.filter((row) => !differ.includes(row)).map(([name]) => name);
  const lines = [
    `Every device can ${same.join(', ')}, and offers: ${alsoSame.join(', ')}.`,
    '',
    row(['', ...columns.map(({ title }) => title)]),
    row(['', ...columns.map(() => '')].map(() => '---')),
    ...differ.map(row),
  ];
  return lines.join('\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

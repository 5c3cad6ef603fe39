import type { Button, Key, Modifier } from '@runcloud/protocol';

/** USB HID Usage Tables 1.5, page 0x07: keys of a keyboard, by the place they have on a US layout. */

const FIRST_LETTER = 0x04;
const FIRST_DIGIT = 0x1e;
const FIRST_FUNCTION_KEY = 0x3a;
const FIRST_NUMPAD_DIGIT = 0x59;

const run = (names: readonly string[], first: number): [string, number][] =>
  names.map((name, index) => [name, first + index]);

/** 0 comes behind 9, on the number pad as well. */
const DIGITS = [...'1234567890'];

const USAGES: ReadonlyMap<string, number> = new Map([
  ...run([...'abcdefghijklmnopqrstuvwxyz'], FIRST_LETTER),
  ...run(DIGITS, FIRST_DIGIT),
  ...run(
    Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
    FIRST_FUNCTION_KEY,
  ),
  ...run(
    DIGITS.map((digit) => `numpad${digit}`),
    FIRST_NUMPAD_DIGIT,
  ),
  ['enter', 0x28],
  ['escape', 0x29],
  ['backspace', 0x2a],
  ['tab', 0x2b],
  ['space', 0x2c],
  ['minus', 0x2d],
  ['equal', 0x2e],
  ['bracketLeft', 0x2f],
  ['bracketRight', 0x30],
  ['backslash', 0x31],
  ['semicolon', 0x33],
  ['quote', 0x34],
  ['backquote', 0x35],
  ['comma', 0x36],
  ['period', 0x37],
  ['slash', 0x38],
  ['capsLock', 0x39],
  ['printScreen', 0x46],
  ['scrollLock', 0x47],
  ['pause', 0x48],
  ['insert', 0x49],
  ['home', 0x4a],
  ['pageUp', 0x4b],
  ['delete', 0x4c],
  ['end', 0x4d],
  ['pageDown', 0x4e],
  ['arrowRight', 0x4f],
  ['arrowLeft', 0x50],
  ['arrowDown', 0x51],
  ['arrowUp', 0x52],
  ['numLock', 0x53],
  ['numpadDivide', 0x54],
  ['numpadMultiply', 0x55],
  ['numpadSubtract', 0x56],
  ['numpadAdd', 0x57],
  ['numpadEnter', 0x58],
  ['numpadDecimal', 0x63],
]);

const MODIFIER_USAGES: Readonly<Record<Modifier, number>> = { control: 0xe0, shift: 0xe1, alt: 0xe2, meta: 0xe3 };

/** The usage of a key of the contract; throws for a name that is none. */
export function keyUsage(key: Key): number {
  const usage = USAGES.get(key);
  if (usage === undefined) throw new RangeError(`${key} is no key`);
  return usage;
}

export const modifierUsage = (modifier: Modifier): number => MODIFIER_USAGES[modifier];

/** A control outside the keyboard, by its page and usage. */
export interface HidControl {
  readonly page: number;
  readonly usage: number;
}

const CONSUMER = 0x0c;
const TELEPHONY = 0x0b;

/** Buttons on the edge of a phone, as the device profiles of the simulator number them. */
export const PHYSICAL_BUTTONS: Readonly<Partial<Record<Button, HidControl>>> = {
  power: { page: CONSUMER, usage: 0x30 },
  volumeUp: { page: CONSUMER, usage: 0xe9 },
  volumeDown: { page: CONSUMER, usage: 0xea },
  actionButton: { page: TELEPHONY, usage: 0x2d },
  sideButton: { page: CONSUMER, usage: 0x95 },
};

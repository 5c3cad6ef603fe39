/** Semantic keys: names of physical keys of a US keyboard, case-sensitive (specification, section 2.7). */

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'] as const;
const DIGITS = [...'0123456789'] as const;

const EDITING = ['enter', 'escape', 'backspace', 'tab', 'space', 'insert', 'delete'] as const;

const PUNCTUATION = [
  'minus',
  'equal',
  'bracketLeft',
  'bracketRight',
  'backslash',
  'semicolon',
  'quote',
  'backquote',
  'comma',
  'period',
  'slash',
] as const;

const NAVIGATION = ['home', 'end', 'pageUp', 'pageDown', 'arrowRight', 'arrowLeft', 'arrowDown', 'arrowUp'] as const;

const SYSTEM = [
  'capsLock',
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
  'printScreen',
  'scrollLock',
  'pause',
  'numLock',
] as const;

const NUMBER_PAD = [
  'numpadDivide',
  'numpadMultiply',
  'numpadSubtract',
  'numpadAdd',
  'numpadEnter',
  ...Array.from({ length: 10 }, (_, index) => `numpad${index}`),
  'numpadDecimal',
] as const;

/** Keys that only iOS offers (specification, section 2.8). */
export const LOCK_KEYS: readonly string[] = ['capsLock', 'numLock', 'scrollLock'];

/** Every key, in the order of the specification. */
export const KEYS: readonly string[] = [
  ...LETTERS,
  ...DIGITS,
  ...EDITING,
  ...PUNCTUATION,
  ...NAVIGATION,
  ...SYSTEM,
  ...NUMBER_PAD,
];
export type Key = string;

/** The character that a key types on a US keyboard, alone and with shift. Keys that type nothing are absent. */
export const KEY_TEXT: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  ...Object.fromEntries(LETTERS.map((letter) => [letter, [letter, letter.toUpperCase()] as const])),
  ...Object.fromEntries(DIGITS.map((digit, index) => [digit, [digit, ')!@#$%^&*('.charAt(index)] as const])),
  space: [' ', ' '],
  tab: ['\t', '\t'],
  enter: ['\n', '\n'],
  minus: ['-', '_'],
  equal: ['=', '+'],
  bracketLeft: ['[', '{'],
  bracketRight: [']', '}'],
  backslash: ['\\', '|'],
  semicolon: [';', ':'],
  quote: ["'", '"'],
  backquote: ['`', '~'],
  comma: [',', '<'],
  period: ['.', '>'],
  slash: ['/', '?'],
  numpadDivide: ['/', '/'],
  numpadMultiply: ['*', '*'],
  numpadSubtract: ['-', '-'],
  numpadAdd: ['+', '+'],
  numpadEnter: ['\n', '\n'],
  numpadDecimal: ['.', '.'],
  ...Object.fromEntries(DIGITS.map((digit) => [`numpad${digit}`, [digit, digit] as const])),
};

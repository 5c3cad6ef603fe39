/** Semantic keys: names of physical keys of a US keyboard, case-sensitive. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

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

const FUNCTIONS = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12'] as const;

const SYSTEM = ['printScreen', 'scrollLock', 'pause', 'numLock'] as const;

const NUMBER_PAD_SIGNS = ['numpadDivide', 'numpadMultiply', 'numpadSubtract', 'numpadAdd', 'numpadEnter'] as const;

/** The characters of a text, as a type. */
type CharacterOf<Text extends string> = Text extends `${infer First}${infer Rest}` ? First | CharacterOf<Rest> : never;
type Digit = CharacterOf<typeof DIGITS>;

/** The name of a key. */
export type Key =
  | CharacterOf<typeof LETTERS>
  | Digit
  | (typeof EDITING | typeof PUNCTUATION | typeof NAVIGATION | typeof FUNCTIONS | typeof SYSTEM)[number]
  | (typeof NUMBER_PAD_SIGNS)[number]
  | `numpad${Digit}`
  | 'capsLock'
  | 'numpadDecimal';

/** Keys that only iOS offers. */
export const LOCK_KEYS: readonly Key[] = ['capsLock', 'numLock', 'scrollLock'];

const letters = [...LETTERS] as CharacterOf<typeof LETTERS>[];
const digits = [...DIGITS] as Digit[];

/** Every key, in the order in which keyboards number them. */
export const KEYS: readonly Key[] = [
  ...letters,
  ...digits,
  ...EDITING,
  ...PUNCTUATION,
  ...NAVIGATION,
  'capsLock',
  ...FUNCTIONS,
  ...SYSTEM,
  ...NUMBER_PAD_SIGNS,
  ...digits.map((digit) => `numpad${digit}` as const),
  'numpadDecimal',
];

/** The character that a key types on a US keyboard, alone and with shift. Keys that type nothing are absent. */
export const KEY_TEXT: ReadonlyMap<Key, readonly [plain: string, shifted: string]> = new Map<Key, [string, string]>([
  ...letters.map((letter): [Key, [string, string]] => [letter, [letter, letter.toUpperCase()]]),
  ...digits.map((digit, index): [Key, [string, string]] => [digit, [digit, ')!@#$%^&*('.charAt(index)]]),
  ['space', [' ', ' ']],
  ['tab', ['\t', '\t']],
  ['enter', ['\n', '\n']],
  ['minus', ['-', '_']],
  ['equal', ['=', '+']],
  ['bracketLeft', ['[', '{']],
  ['bracketRight', [']', '}']],
  ['backslash', ['\\', '|']],
  ['semicolon', [';', ':']],
  ['quote', ["'", '"']],
  ['backquote', ['`', '~']],
  ['comma', [',', '<']],
  ['period', ['.', '>']],
  ['slash', ['/', '?']],
  ['numpadDivide', ['/', '/']],
  ['numpadMultiply', ['*', '*']],
  ['numpadSubtract', ['-', '-']],
  ['numpadAdd', ['+', '+']],
  ['numpadEnter', ['\n', '\n']],
  ['numpadDecimal', ['.', '.']],
  ...digits.map((digit): [Key, [string, string]] => [`numpad${digit}`, [digit, digit]]),
]);

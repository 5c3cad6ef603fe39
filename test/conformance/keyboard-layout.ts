/** A US keyboard, written down here a second time so that the service's own table is checked against another. */

const rows = [
  ['backquote 1 2 3 4 5 6 7 8 9 0 minus equal', '`1234567890-=', '~!@#$%^&*()_+'],
  ['q w e r t y u i o p bracketLeft bracketRight backslash', 'qwertyuiop[]\\', 'QWERTYUIOP{}|'],
  ['a s d f g h j k l semicolon quote', "asdfghjkl;'", 'ASDFGHJKL:"'],
  ['z x c v b n m comma period slash', 'zxcvbnm,./', 'ZXCVBNM<>?'],
] as const;

export interface TypingKey {
  readonly key: string;
  readonly plain: string;
  readonly shifted: string;
}

/** The keys of the main block that type a visible character. */
export const TYPING_KEYS: readonly TypingKey[] = rows.flatMap(([keys, plain, shifted]) =>
  keys.split(' ').map((key, index) => ({ key, plain: plain.charAt(index), shifted: shifted.charAt(index) })),
);

const pad = 'numpadDivide numpadMultiply numpadSubtract numpadAdd numpadDecimal'.split(' ');

/** Keys that type the same with and without shift. */
export const FIXED_KEYS: readonly (readonly [key: string, text: string])[] = [
  ['space', ' '],
  ['tab', '\t'],
  ['enter', '\n'],
  ['numpadEnter', '\n'],
  ...pad.map((key, index) => [key, '/*-+.'.charAt(index)] as const),
  ...Array.from({ length: 10 }, (_, digit) => [`numpad${digit}`, String(digit)] as const),
];

/** Keys that type nothing. */
export const SILENT_KEYS: readonly string[] = [
  ...'escape backspace insert delete home end pageUp pageDown arrowRight arrowLeft arrowDown arrowUp'.split(' '),
  ...Array.from({ length: 12 }, (_, index) => `f${index + 1}`),
  ...'printScreen pause'.split(' '),
];

/** Silent keys that only iOS has. */
export const LOCK_KEYS: readonly string[] = ['capsLock', 'numLock', 'scrollLock'];

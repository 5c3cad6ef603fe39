import type { Key } from '@runcloud/protocol/terms';

/** Keys by their usage on the HID page of keyboards, as a table of rows; a dot stands for no key of ours. */
const ROWS: readonly (readonly [number, string])[] = [
  [0x04, 'a b c d e f g h i j k l m n o p q r s t u v w x y z'],
  [0x1e, '1 2 3 4 5 6 7 8 9 0 enter escape backspace tab space minus equal bracketLeft bracketRight backslash .'],
  [0x33, 'semicolon quote backquote comma period slash capsLock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12'],
  [0x46, 'printScreen scrollLock pause insert home pageUp delete end pageDown'],
  [
    0x4f,
    'arrowRight arrowLeft arrowDown arrowUp numLock numpadDivide numpadMultiply numpadSubtract numpadAdd numpadEnter',
  ],
  [0x59, 'numpad1 numpad2 numpad3 numpad4 numpad5 numpad6 numpad7 numpad8 numpad9 numpad0 numpadDecimal'],
];

export const USAGE_KEYS: ReadonlyMap<number, Key> = new Map(
  ROWS.flatMap(([first, names]) => names.split(' ').map((name, index) => [first + index, name as Key] as const)),
);

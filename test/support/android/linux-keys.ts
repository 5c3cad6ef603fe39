import type { Key } from '@runcloud/protocol/terms';

/** Names of keys by their numbers in Linux's `input-event-codes.h`, row by row of a keyboard. */

const rows: readonly (readonly [first: number, names: string])[] = [
  [1, 'escape 1 2 3 4 5 6 7 8 9 0 minus equal backspace'],
  [15, 'tab q w e r t y u i o p bracketLeft bracketRight enter'],
  [30, 'a s d f g h j k l semicolon quote backquote'],
  [43, 'backslash z x c v b n m comma period slash'],
  [55, 'numpadMultiply'],
  [57, 'space capsLock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 numLock scrollLock'],
  [
    71,
    'numpad7 numpad8 numpad9 numpadSubtract numpad4 numpad5 numpad6 numpadAdd numpad1 numpad2 numpad3 numpad0 numpadDecimal',
  ],
  [87, 'f11 f12'],
  [96, 'numpadEnter'],
  [98, 'numpadDivide printScreen'],
  [102, 'home arrowUp pageUp arrowLeft arrowRight end arrowDown pageDown insert delete'],
  [119, 'pause'],
];

export const KEY_OF_NUMBER: ReadonlyMap<number, Key> = new Map(
  rows.flatMap(([first, names]) => names.split(' ').map((name, index) => [first + index, name as Key] as const)),
);

export const MODIFIER_OF_NUMBER: ReadonlyMap<number, 'shift' | 'control' | 'alt' | 'meta'> = new Map([
  [42, 'shift'],
  [29, 'control'],
  [56, 'alt'],
  [125, 'meta'],
]);

import { type Button, KEYS, type Key, type Modifier } from '@runcloud/protocol/terms';

/** `android.view.KeyEvent`'s numbers, as its reference lists them, by runs. */
const RUNS: readonly (readonly [first: number, names: string])[] = [
  [7, '0 1 2 3 4 5 6 7 8 9'],
  [19, 'arrowUp arrowDown arrowLeft arrowRight'],
  [29, 'a b c d e f g h i j k l m n o p q r s t u v w x y z comma period'],
  [61, 'tab space'],
  [66, 'enter backspace backquote minus equal bracketLeft bracketRight backslash semicolon quote slash'],
  [92, 'pageUp pageDown'],
  [111, 'escape delete'],
  [120, 'printScreen pause home end'],
  [124, 'insert'],
  [131, 'f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12'],
  [144, 'numpad0 numpad1 numpad2 numpad3 numpad4 numpad5 numpad6 numpad7 numpad8 numpad9'],
  [154, 'numpadDivide numpadMultiply numpadSubtract numpadAdd numpadDecimal'],
  [160, 'numpadEnter'],
];

const names = new Map(RUNS.flatMap(([first, run]) => run.split(' ').map((name, index) => [first + index, name])));

export const KEY_OF_KEYCODE: ReadonlyMap<number, Key> = new Map(
  [...names].flatMap(([code, name]) => {
    const key = KEYS.find((known) => known === name);
    return key === undefined ? [] : [[code, key] as const];
  }),
);

export const MODIFIER_OF_KEYCODE: ReadonlyMap<number, Modifier> = new Map([
  [59, 'shift'],
  [113, 'control'],
  [57, 'alt'],
  [117, 'meta'],
]);

/** `KEYCODE_PASTE`. */
export const PASTE_KEYCODE = 279;

export const BUTTON_OF_KEYCODE: ReadonlyMap<number, Button> = new Map([
  [3, 'home'],
  [4, 'back'],
  [24, 'volumeUp'],
  [25, 'volumeDown'],
  [26, 'power'],
  [82, 'menu'],
  [187, 'appSwitcher'],
]);

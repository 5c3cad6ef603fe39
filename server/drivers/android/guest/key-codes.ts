import type { Button, Modifier } from '@runcloud/protocol';

/** One key in the two languages that an Android device understands. */
export interface KeyCode {
  /** Linux `input-event-codes.h`: what the emulator's control service takes without translation. */
  readonly evdev: number;
  /** `android.view.KeyEvent`: what the `input` command takes. */
  readonly keycode: number;
}

/** `name evdev keycode`, one key each. */
const TABLE = `
a 30 29, b 48 30, c 46 31, d 32 32, e 18 33, f 33 34, g 34 35, h 35 36, i 23 37, j 36 38, k 37 39, l 38 40, m 50 41,
n 49 42, o 24 43, p 25 44, q 16 45, r 19 46, s 31 47, t 20 48, u 22 49, v 47 50, w 17 51, x 45 52, y 21 53, z 44 54,
0 11 7, 1 2 8, 2 3 9, 3 4 10, 4 5 11, 5 6 12, 6 7 13, 7 8 14, 8 9 15, 9 10 16,
enter 28 66, escape 1 111, backspace 14 67, tab 15 61, space 57 62, insert 110 124, delete 111 112,
minus 12 69, equal 13 70, bracketLeft 26 71, bracketRight 27 72, backslash 43 73, semicolon 39 74, quote 40 75,
backquote 41 68, comma 51 55, period 52 56, slash 53 76,
home 102 122, end 107 123, pageUp 104 92, pageDown 109 93,
arrowRight 106 22, arrowLeft 105 21, arrowDown 108 20, arrowUp 103 19,
f1 59 131, f2 60 132, f3 61 133, f4 62 134, f5 63 135, f6 64 136, f7 65 137, f8 66 138, f9 67 139, f10 68 140,
f11 87 141, f12 88 142, printScreen 99 120, pause 119 121,
numpadDivide 98 154, numpadMultiply 55 155, numpadSubtract 74 156, numpadAdd 78 157, numpadEnter 96 160,
numpad0 82 144, numpad1 79 145, numpad2 80 146, numpad3 81 147, numpad4 75 148, numpad5 76 149, numpad6 77 150,
numpad7 71 151, numpad8 72 152, numpad9 73 153, numpadDecimal 83 158
`;

/** Every semantic key that Android offers; the lock keys are not among them. */
export const KEY_CODES: ReadonlyMap<string, KeyCode> = new Map(
  TABLE.split(',').map((entry) => {
    const [name = '', evdev, keycode] = entry.trim().split(' ');
    return [name, { evdev: Number(evdev), keycode: Number(keycode) }];
  }),
);

/** Each modifier is the key on the left side. */
export const MODIFIER_CODES: Readonly<Record<Modifier, KeyCode>> = {
  shift: { evdev: 42, keycode: 59 },
  control: { evdev: 29, keycode: 113 },
  alt: { evdev: 56, keycode: 57 },
  meta: { evdev: 125, keycode: 117 },
};

/** `KEYCODE_PASTE` of `android.view.KeyEvent`. */
export const PASTE_KEYCODE = 279;

/** A button of the device. The control service knows most of them by a name of the DOM's key list. */
export interface ButtonCode {
  readonly key?: string;
  readonly evdev?: number;
  readonly keycode: number;
}

const APP_SWITCH: ButtonCode = { key: 'AppSwitch', keycode: 187 };

/** The buttons that Android offers. */
export const BUTTON_CODES: Readonly<Partial<Record<Button, ButtonCode>>> = {
  home: { key: 'GoHome', keycode: 3 },
  back: { key: 'GoBack', keycode: 4 },
  appSwitcher: APP_SWITCH,
  recents: APP_SWITCH,
  power: { key: 'Power', keycode: 26 },
  volumeUp: { key: 'AudioVolumeUp', keycode: 24 },
  volumeDown: { key: 'AudioVolumeDown', keycode: 25 },
  // The DOM's list has no menu button; KEY_MENU is what the emulator's own keyboard map has.
  menu: { evdev: 139, keycode: 82 },
};

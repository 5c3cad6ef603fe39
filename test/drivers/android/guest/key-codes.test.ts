import { BUTTONS, CAPABILITIES, KEYS, LOCK_KEYS, MODIFIERS } from '@runcloud/protocol/terms';
import t from 'tap';
import { BUTTON_CODES, KEY_CODES, MODIFIER_CODES } from '../../../../server/drivers/android/guest/key-codes.ts';
import { KEY_OF_NUMBER, MODIFIER_OF_NUMBER } from '../../../support/android/linux-keys.ts';

const wanted = KEYS.filter((key) => !LOCK_KEYS.includes(key));

t.test('every key that Android offers has a code in both languages, and no other key has', async (t) => {
  t.same([...KEY_CODES.keys()].sort(), [...wanted].sort());
  for (const [key, { evdev, keycode }] of KEY_CODES) {
    t.ok(Number.isInteger(evdev) && evdev > 0 && Number.isInteger(keycode) && keycode > 0, key);
  }
  t.equal(new Set([...KEY_CODES.values()].map(({ evdev }) => evdev)).size, wanted.length, 'no two keys share a code');
  t.equal(new Set([...KEY_CODES.values()].map(({ keycode }) => keycode)).size, wanted.length);
});

t.test("the codes are those of Linux's table, written down a second time", async (t) => {
  for (const key of wanted) t.equal(KEY_OF_NUMBER.get(KEY_CODES.get(key)?.evdev ?? 0), key);
  for (const modifier of MODIFIERS) t.equal(MODIFIER_OF_NUMBER.get(MODIFIER_CODES[modifier].evdev), modifier);
});

t.test("the codes for adb are those of Android's KeyEvent", async (t) => {
  const keycode = (key: string) => KEY_CODES.get(key)?.keycode;
  for (const [index, letter] of [...'abcdefghijklmnopqrstuvwxyz'].entries()) t.equal(keycode(letter), 29 + index);
  for (let digit = 0; digit <= 9; digit++) {
    t.equal(keycode(String(digit)), 7 + digit);
    t.equal(keycode(`numpad${digit}`), 144 + digit);
  }
  for (let number = 1; number <= 12; number++) t.equal(keycode(`f${number}`), 130 + number);
  const others = {
    enter: 66,
    escape: 111,
    backspace: 67,
    tab: 61,
    space: 62,
    insert: 124,
    delete: 112,
    home: 122,
    end: 123,
    pageUp: 92,
    pageDown: 93,
    arrowUp: 19,
    arrowDown: 20,
    arrowLeft: 21,
    arrowRight: 22,
    printScreen: 120,
    pause: 121,
    minus: 69,
    equal: 70,
    bracketLeft: 71,
    bracketRight: 72,
    backslash: 73,
    semicolon: 74,
    quote: 75,
    backquote: 68,
    comma: 55,
    period: 56,
    slash: 76,
    numpadDivide: 154,
    numpadMultiply: 155,
    numpadSubtract: 156,
    numpadAdd: 157,
    numpadDecimal: 158,
    numpadEnter: 160,
  };
  for (const [key, code] of Object.entries(others)) t.equal(keycode(key), code, key);
});

t.test('every button that Android offers has a code, and no other button has', async (t) => {
  const { buttons } = CAPABILITIES.android;
  for (const button of BUTTONS) {
    const code = BUTTON_CODES[button];
    t.equal(code !== undefined, buttons.includes(button), button);
    if (code) t.ok(code.key !== undefined || code.evdev !== undefined);
  }
});

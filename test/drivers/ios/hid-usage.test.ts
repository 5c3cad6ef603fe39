import { CAPABILITIES, KEYS, type Key, MODIFIERS } from '@runcloud/protocol/terms';
import t from 'tap';
import { keyUsage, modifierUsage, PHYSICAL_BUTTONS } from '../../../server/drivers/ios/hid-usage.ts';

/** Out of the HID Usage Tables, page 0x07, in the order of the usages, from 4 on. */
const KEYBOARD_PAGE = [
  ...'abcdefghijklmnopqrstuvwxyz1234567890',
  ...['enter', 'escape', 'backspace', 'tab', 'space', 'minus', 'equal', 'bracketLeft', 'bracketRight', 'backslash'],
  ...['(non-US #)', 'semicolon', 'quote', 'backquote', 'comma', 'period', 'slash', 'capsLock'],
  ...['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12', 'printScreen', 'scrollLock', 'pause'],
  ...['insert', 'home', 'pageUp', 'delete', 'end', 'pageDown', 'arrowRight', 'arrowLeft', 'arrowDown', 'arrowUp'],
  ...['numLock', 'numpadDivide', 'numpadMultiply', 'numpadSubtract', 'numpadAdd', 'numpadEnter'],
  ...['numpad1', 'numpad2', 'numpad3', 'numpad4', 'numpad5', 'numpad6', 'numpad7', 'numpad8', 'numpad9', 'numpad0'],
  'numpadDecimal',
];

t.test('every semantic key has the usage of its place on the keyboard page', async (t) => {
  for (const key of KEYS) t.equal(keyUsage(key), KEYBOARD_PAGE.indexOf(key) + 4, key);
});

t.test('a name that is no key of the contract has no usage', async (t) => {
  for (const name of ['A', 'F1', 'toString', '__proto__', '', 'numpadEqual'])
    t.throws(() => keyUsage(name as Key), RangeError, name);
});

t.test('modifiers are the keys of the left side', async (t) => {
  t.same(MODIFIERS.map(modifierUsage), [0xe1, 0xe0, 0xe2, 0xe3]);
});

t.test('every button that is held on iOS has a control of its own', async (t) => {
  const { buttons, momentaryButtons } = CAPABILITIES.ios;
  const held = buttons.filter((button) => !momentaryButtons.includes(button));
  t.same(Object.keys(PHYSICAL_BUTTONS).sort(), [...held].sort());
  t.same(PHYSICAL_BUTTONS.power, { page: 12, usage: 48 });
  t.same(PHYSICAL_BUTTONS.volumeUp, { page: 12, usage: 233 });
  t.same(PHYSICAL_BUTTONS.volumeDown, { page: 12, usage: 234 });
  t.same(PHYSICAL_BUTTONS.actionButton, { page: 11, usage: 45 });
  t.same(PHYSICAL_BUTTONS.sideButton, { page: 12, usage: 149 });
});

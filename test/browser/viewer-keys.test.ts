import { KEYS } from '@runcloud/protocol/terms';
import t from 'tap';
import { deviceKey, type KeyStroke, keyOfCode } from '../../client/viewer/input/key-names.ts';

const stroke = (key: string, code: string, held: readonly string[] = []): KeyStroke => ({
  key,
  code,
  shiftKey: held.includes('Shift'),
  ctrlKey: held.includes('Control'),
  altKey: held.includes('Alt'),
  metaKey: held.includes('Meta'),
  getModifierState: (name) => held.includes(name),
});

/** The browser's code of a key of the protocol. */
function codeOf(key: string): string {
  if (/^[a-z]$/.test(key)) return `Key${key.toUpperCase()}`;
  if (/^[0-9]$/.test(key)) return `Digit${key}`;
  return key.charAt(0).toUpperCase() + key.slice(1);
}

t.test('every key of the protocol has its place on the keyboard', (t) => {
  for (const key of KEYS) t.equal(keyOfCode(codeOf(key)), key);
  t.equal(keyOfCode('AudioVolumeMute'), undefined);
  t.end();
});

t.test('a character goes by what it is, wherever the keyboard has it', (t) => {
  t.same(deviceKey(stroke('a', 'KeyA')), { key: 'a', modifiers: [] });
  t.same(deviceKey(stroke('A', 'KeyA', ['Shift'])), { key: 'a', modifiers: ['shift'] });
  t.same(deviceKey(stroke('z', 'KeyY')), { key: 'z', modifiers: [] }, 'a German Z');
  t.same(deviceKey(stroke('"', 'Digit2', ['Shift'])), { key: 'quote', modifiers: ['shift'] }, 'a German quote');
  t.same(
    deviceKey(stroke('/', 'Digit7', ['Shift'])),
    { key: 'slash', modifiers: [] },
    'shift only where the US has it',
  );
  t.same(deviceKey(stroke('@', 'KeyQ', ['AltGraph', 'Control', 'Alt'])), { key: '2', modifiers: ['shift'] });
  t.same(deviceKey(stroke('A', 'KeyA')), { key: 'a', modifiers: ['shift'] }, 'caps lock');
  t.end();
});

t.test('everything else goes by its place, with its modifiers', (t) => {
  t.same(deviceKey(stroke('Enter', 'Enter', ['Shift'])), { key: 'enter', modifiers: ['shift'] });
  t.same(deviceKey(stroke('7', 'Numpad7')), { key: 'numpad7', modifiers: [] });
  t.same(deviceKey(stroke('c', 'KeyC', ['Control'])), { key: 'c', modifiers: ['control'] });
  t.same(deviceKey(stroke('å', 'KeyA', ['Alt'])), { key: 'a', modifiers: ['alt'] }, 'Option on a Mac');
  t.same(deviceKey(stroke('ArrowUp', 'ArrowUp', ['Meta'])), { key: 'arrowUp', modifiers: ['meta'] });
  t.end();
});

t.test('a key that a US keyboard lacks is not sent to the device', (t) => {
  t.equal(deviceKey(stroke('ü', 'BracketLeft')), undefined);
  t.equal(deviceKey(stroke('MediaPlayPause', 'MediaPlayPause')), undefined);
  t.end();
});

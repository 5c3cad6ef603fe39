import t from 'tap';
import { KEY_TEXT, KEYS, LOCK_KEYS } from '../../protocol/terms.ts';

t.test('the keys are those of the specification', async (t) => {
  const expected = `a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 8 9
    enter escape backspace tab space insert delete
    minus equal bracketLeft bracketRight backslash semicolon quote backquote comma period slash
    home end pageUp pageDown arrowRight arrowLeft arrowDown arrowUp
    capsLock f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 printScreen scrollLock pause numLock
    numpadDivide numpadMultiply numpadSubtract numpadAdd numpadEnter
    numpad0 numpad1 numpad2 numpad3 numpad4 numpad5 numpad6 numpad7 numpad8 numpad9 numpadDecimal`;
  t.strictSame(KEYS, expected.split(/\s+/));
});

t.test('no key appears twice, and the lock keys are keys', async (t) => {
  t.equal(new Set(KEYS).size, KEYS.length);
  t.ok(LOCK_KEYS.every((key) => KEYS.includes(key)));
});

t.test('between them, the keys type every printable US ASCII character, the tab and the line feed', async (t) => {
  const typed = new Set([...KEY_TEXT.values()].flat());
  for (let code = 0x20; code < 0x7f; code++) t.ok(typed.has(String.fromCharCode(code)), String.fromCharCode(code));
  t.ok(typed.has('\t') && typed.has('\n'));
  t.ok([...KEY_TEXT.keys()].every((key) => KEYS.includes(key)));
});

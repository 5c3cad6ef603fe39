import t from 'tap';
import { keyStrokes } from '../../../server/drivers/ios/key-strokes.ts';

/** A US keyboard as the HID Usage Tables print it: each usage, what it types, and what it types with shift. */
const KEYBOARD: readonly (readonly [number, string, string])[] = [
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((key, index) => [4 + index, key, key.toUpperCase()] as const),
  ...[...'1234567890'].map((key, index) => [0x1e + index, key, '!@#$%^&*()'.charAt(index)] as const),
  [0x28, '\n', '\n'],
  [0x2b, '\t', '\t'],
  [0x2c, ' ', ' '],
  [0x2d, '-', '_'],
  [0x2e, '=', '+'],
  [0x2f, '[', '{'],
  [0x30, ']', '}'],
  [0x31, '\\', '|'],
  [0x33, ';', ':'],
  [0x34, "'", '"'],
  [0x35, '`', '~'],
  [0x36, ',', '<'],
  [0x37, '.', '>'],
  [0x38, '/', '?'],
];

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');

t.test('every character of US ASCII, tab and line feed is typed by the key that has it', async (t) => {
  const text = `${PRINTABLE}\t\n`;
  const typed = keyStrokes(text).map(({ usage, shift }) => {
    const [, plain = '', shifted = ''] = KEYBOARD.find(([code]) => code === usage) ?? [];
    return shift ? shifted : plain;
  });
  t.equal(typed.join(''), text);
  t.notOk(
    keyStrokes(text).some(({ usage }) => usage >= 0x53 && usage <= 0x63),
    'the number pad stays out of it',
  );
});

t.test('a character that no key types is refused', async (t) => {
  for (const text of ['é', '\r', '\u0000', 'a\u{1F600}']) t.throws(() => keyStrokes(text), RangeError);
});

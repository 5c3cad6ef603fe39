import t from 'tap';
import { accept, refuse } from '../checks.ts';

const typeText = (text: unknown) => ({ action: 'typeText', text });

t.test('text has 1 to 10,000 characters', async (t) => {
  for (const count of [1, 2, 9_999, 10_000]) t.match(accept(typeText('a'.repeat(count))), { action: 'typeText' });
  refuse(typeText(''), 'text', t);
  refuse(typeText('a'.repeat(10_001)), 'text', t);
  t.match(
    refuse(typeText(undefined), 'text', t).message,
    /1 to 10000 printable US ASCII characters, tabs or line feeds/,
  );
});

t.test('every printable US ASCII character, the tab and the line feed are accepted as they are', async (t) => {
  const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).join('');
  t.match(accept(typeText(`${printable}\t\n`)), { text: `${printable}\t\n` });
  for (const text of ['\t', '\n', '\n\n', 'a\n', '\na']) t.match(accept(typeText(text)), { text });
});

t.test('every other control character is refused', async (t) => {
  const controls = [...Array(0x20).keys(), 0x7f].filter((code) => code !== 0x09 && code !== 0x0a);
  for (const code of controls) {
    for (const text of [String.fromCharCode(code), `a${String.fromCharCode(code)}b`, `a${String.fromCharCode(code)}`]) {
      refuse(typeText(text), 'text', t);
    }
  }
});

t.test('characters beyond US ASCII are refused', async (t) => {
  for (let code = 0x80; code <= 0x2ff; code++) refuse(typeText(`a${String.fromCharCode(code)}`), 'text', t);
  for (const text of ['\u2028', '\u2029', '\ufeff', '\uffff', '\ud800', '\u{1f600}', '\u{10ffff}', '\uff41']) {
    refuse(typeText(text), 'text', t);
  }
});

t.test('text is a string', async (t) => {
  for (const text of [1, null, true, ['a'], { text: 'a' }, new Uint8Array([97])]) refuse(typeText(text), 'text', t);
});

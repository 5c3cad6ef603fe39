import fc from 'fast-check';
import t from 'tap';
import { characterCount } from '../../../protocol/index.ts';
import { accept, refuse } from '../checks.ts';

const insertText = (text: unknown) => ({ action: 'insertText', text });

t.test('text has 1 to 10,000 code points, whatever they take in UTF-16', async (t) => {
  for (const character of ['a', 'é', '你', '😀']) {
    for (const count of [1, 2, 9_999, 10_000]) {
      t.match(accept(insertText(character.repeat(count))), { action: 'insertText' });
    }
    refuse(insertText(character.repeat(10_001)), 'text', t);
  }
  for (const text of ['', undefined]) refuse(insertText(text), 'text', t);
  t.match(
    refuse(insertText('😀'.repeat(10_001)), 'text', t).message,
    /1 to 10000 Unicode characters, without lone surrogates/,
  );
  refuse(insertText('a'.repeat(100_000)), 'text', t);
});

t.test('every text of Unicode is accepted as it is, control characters and unassigned ones too', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
      const { text: accepted } = accept(insertText(text)) as unknown as { text: string };
      return accepted === text && characterCount(text) === [...text].length;
    }),
  );
});

t.test('half of a surrogate pair is refused, wherever it stands', async (t) => {
  for (const half of ['\ud800', '\udbff', '\udc00', '\udfff']) {
    for (const text of [half, `a${half}`, `${half}a`, `😀${half}`, `${half}😀`]) refuse(insertText(text), 'text', t);
  }
  t.match(accept(insertText('\ud83d\ude00')), { text: '😀' });
});

t.test('text is a string', async (t) => {
  for (const text of [1, null, true, ['a'], { text: 'a' }]) refuse(insertText(text), 'text', t);
});

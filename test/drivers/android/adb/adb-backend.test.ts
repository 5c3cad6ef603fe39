import t from 'tap';
import { inputTexts } from '../../../../server/drivers/android/adb/adb-backend.ts';

/** Interprets arguments as `input text` does: `%s` is a space, and nothing else is special. */
const typed = (pieces: readonly string[]) => pieces.map((piece) => piece.replaceAll('%s', ' ')).join('');

t.test('every text is typed as it is, also one that has what stands for a blank', async (t) => {
  for (const text of ['a b', '%s', '100%', '%%s s', 'a%', ' ', "it's $5 `x`", '-n', '%s%s%s', 'x'.repeat(1_201)]) {
    t.equal(typed(inputTexts(text)), text, text);
    t.ok(inputTexts(text).every((piece) => piece.length > 0 && piece.length <= 502));
  }
  t.same(inputTexts(''), []);
});

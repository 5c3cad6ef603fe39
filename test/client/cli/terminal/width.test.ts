import t from 'tap';
import { clipped, padded, widthOf, wrapped } from '../../../../client/cli/terminal/width.ts';

t.test('wide characters take two columns, and combined ones are one', (t) => {
  for (const [text, columns] of [
    ['', 0],
    ['plain', 5],
    ['Grüße', 5],
    ['e\u0301', 1],
    ['日本語', 6],
    ['한국', 4],
    ['かなカナ', 8],
    ['ｶﾅ', 2],
    ['ＡＢ', 4],
    ['🙂', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['…–✓', 3],
  ] as const) {
    t.equal(widthOf(text), columns, text);
  }
  t.end();
});

t.test('a text is cut between characters, with an ellipsis', (t) => {
  t.equal(clipped('abcdef', 6), 'abcdef');
  t.equal(clipped('abcdef', 5), 'abcd…');
  t.equal(clipped('日本語', 5), '日本…');
  t.equal(clipped('日本語', 4), '日…');
  t.equal(padded('日本', 6), '日本  ');
  t.equal(padded('toolong', 3), 'toolong');
  t.end();
});

t.test('a text is wrapped at spaces, and forges no line', (t) => {
  t.same(wrapped('one two three four', 13), ['one two three', 'four']);
  t.same(wrapped('see https://a.example/a-long-address now', 12), ['see', 'https://a.example/a-long-address', 'now']);
  t.same(wrapped('one\ntwo', 80), ['one\\u{a}two']);
  t.end();
});

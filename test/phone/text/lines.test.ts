import t from 'tap';
import { font } from '../../../server/phone/text/font.ts';
import { graphemeAfter } from '../../../server/phone/text/graphemes.ts';
import { breakLines, caretAt, caretOffset, lineOf } from '../../../server/phone/text/lines.ts';

const BODY = font(400, 24);
const shown = (text: string, width: number) =>
  breakLines(text, BODY, width).map(({ from, to }) => text.slice(from, to));

t.test('lines break at line feeds, and an empty text has one line', async (t) => {
  t.same(shown('', 100), ['']);
  t.same(shown('a\n\nb\n', 1000), ['a', '', 'b', '']);
});

t.test('a long line breaks at a space, and a long word inside', async (t) => {
  const width = BODY.width('one two') + 1;
  t.same(shown('one two three', width), ['one two', 'three']);
  const parts = shown('x'.repeat(40), BODY.width('x'.repeat(12)));
  t.equal(parts.join(''), 'x'.repeat(40));
  t.ok(parts.length >= 4);
});

t.test('no line is wider than the room, and no character is lost', async (t) => {
  const text = 'The quick brown fox jumps over the lazy dog, and away it goes. '.repeat(20);
  for (const width of [80, 200, 431]) {
    const lines = breakLines(text, BODY, width);
    t.ok(lines.every(({ from, to }) => BODY.width(text.slice(from, to).trimEnd()) <= width + 0.01));
    t.equal(
      lines
        .map(({ from, to }) => text.slice(from, to))
        .join('')
        .replaceAll(' ', ''),
      text.replaceAll(' ', ''),
    );
  }
});

t.test('a caret is found again where it is drawn', async (t) => {
  const text = 'Wide\tand narrow il words';
  const [line] = breakLines(text, BODY, 2000);
  if (!line) throw new Error('missing');
  for (let caret = 0; caret <= text.length; caret++) {
    t.equal(caretAt(text, line, caretOffset(text, line, caret, BODY), BODY), caret);
  }
});

t.test('every caret belongs to one line', async (t) => {
  const lines = breakLines('ab\ncd', BODY, 1000);
  t.same(
    [0, 1, 2, 3, 4, 5].map((caret) => lineOf(lines, caret)),
    [0, 0, 0, 1, 1, 1],
  );
});

t.test('ideographs break anywhere, but not words beside them, and clusters never', async (t) => {
  const width = BODY.width('你好世界') + 1;
  t.same(shown('你好世界你好世界', width), ['你好世界', '你好世界']);
  t.same(shown('你好 hello', width), ['你好', 'hello']);
  t.same(shown('你好hello', width), ['你好', 'hello']);
  for (const cluster of ['👩‍👩‍👧‍👦', 'e\u0301', '🇩🇪', 'नि']) {
    for (const line of shown(cluster.repeat(12), width)) t.equal(line.length % cluster.length, 0, cluster);
  }
});

t.test('a caret is found again between clusters of any language', async (t) => {
  const text = 'e\u0301 你好 👩‍👩‍👧‍👦 שלום 🇩🇪';
  const [line] = breakLines(text, BODY, 2000);
  if (!line) throw new Error('missing');
  for (let caret = 0; caret <= text.length; caret = graphemeAfter(text, caret)) {
    t.equal(caretAt(text, line, caretOffset(text, line, caret, BODY), BODY), caret);
    if (caret === text.length) break;
  }
});

import fc from 'fast-check';
import t from 'tap';
import {
  beginsSentence,
  TEXT_MAX,
  TextEditor,
  wordAfter,
  wordAt,
  wordBefore,
} from '../../../server/phone/text/editor.ts';

function editor(text: string): TextEditor {
  const subject = new TextEditor();
  subject.setText(text);
  return subject;
}

const FAMILY = '👩‍👩‍👧‍👦';

t.test('the caret goes from cluster to cluster, and a deletion takes one of them', async (t) => {
  const subject = editor(`a${FAMILY}e\u0301🇩🇪`);
  const places = [subject.caret];
  while (subject.caret > 0) {
    subject.moveTo(subject.before);
    places.push(subject.caret);
  }
  t.same(places, [18, 14, 12, 1, 0]);
  for (const place of places.toReversed()) {
    t.equal(subject.caret, place);
    subject.moveTo(subject.after);
  }
  for (const rest of [`a${FAMILY}e\u0301`, `a${FAMILY}`, 'a', '']) {
    subject.deleteTo(subject.before);
    t.equal(subject.text, rest);
  }
});

t.test('a place inside a cluster is its beginning', async (t) => {
  const subject = editor(`ab${FAMILY}`);
  subject.moveTo(7);
  t.equal(subject.caret, 2);
});

t.test('a mark that is inserted joins what stands before it, and the caret stands behind both', async (t) => {
  const subject = editor('ab');
  subject.moveTo(1);
  subject.insert('\u0301');
  t.same([subject.text, subject.caret], ['a\u0301b', 2]);
});

t.test('a text that has no room is refused whole, and typing stops at a boundary', async (t) => {
  const subject = editor('x'.repeat(TEXT_MAX - 3));
  t.throws(() => subject.insertWhole('😀😀'), { name: 'DeviceFault', kind: 'failed' });
  t.equal(subject.text.length, TEXT_MAX - 3);
  subject.insert('😀😀');
  t.equal(subject.text.length, TEXT_MAX - 1, 'one of both');
  subject.selectAll();
  subject.insertWhole('😀'.repeat(10_000));
  t.equal(subject.text.length, 20_000, 'what is selected makes room');
});

t.test('whatever is done to it, caret and anchor stand between clusters of a text without halves', async () => {
  const unit = fc.constantFrom('a', ' ', '\u0301', '😀', '\u200d', '👧', '🇩', '你', '\n');
  const step = fc.oneof(
    fc.record({ insert: fc.string({ unit, maxLength: 4 }) }),
    fc.record({ move: fc.nat(30), extend: fc.boolean() }),
    fc.constantFrom({ remove: 'before' as const }, { remove: 'after' as const }),
  );
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const subject = new TextEditor();
      for (const each of steps) {
        if ('insert' in each) subject.insert(each.insert);
        else if ('remove' in each) subject.deleteTo(subject[each.remove]);
        else subject.moveTo(each.move, each.extend);
        const places = new Set([...segmenter.segment(subject.text)].map(({ index }) => index)).add(subject.text.length);
        if (!subject.selection.every((place) => places.has(place)) || /\p{Surrogate}/u.test(subject.text)) return false;
      }
      return true;
    }),
  );
});

t.test('words of every script have a beginning and an end', async (t) => {
  const text = 'Grüße, Привет мир';
  t.equal(wordAfter(text, 0), 5);
  t.equal(wordBefore(text, text.length), 14);
  t.equal(wordBefore(text, 14), 7);
});

t.test('a sentence begins at the start of the text or a line, and behind a full stop and a space', async (t) => {
  const cases: readonly (readonly [text: string, begins: boolean])[] = [
    ['', true],
    ['  ', true],
    ['word', false],
    ['word ', false],
    ['End.', false],
    ['End. ', true],
    ['Really?  ', true],
    ['“Yes!” ', true],
    ['3.14 ', false],
    ['line\n', true],
    ['line\n ', true],
    [`${'long '.repeat(20)}`, false],
    [`word${' '.repeat(60)}`, false],
  ];
  for (const [text, begins] of cases) t.equal(beginsSentence(text, text.length), begins, JSON.stringify(text));
});

t.test('the word at a place is the one around it, or the one that ends there', async (t) => {
  t.same(wordAt('one two', 5), [4, 7]);
  t.same(wordAt('one two', 3), [0, 3]);
  t.same(wordAt('one, (two)', 5), [5, 5]);
  t.same(wordAt('Łódź 2', 1), [0, 4]);
});

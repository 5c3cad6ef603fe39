import fc from 'fast-check';
import t from 'tap';
import { graphemeAt, graphemeCount, graphemeEnd } from '../../../server/phone/text/graphemes.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Boundaries as Unicode has them. */
const boundaries = (text: string): number[] => [...segmenter.segment(text)].map(({ index }) => index);

/** Letters, marks, joiners, flags, emoji with tones, jamo, prefixes and controls, in any order. */
const UNITS = [
  ...[
    'a',
    ' ',
    'é',
    '\u0301',
    '\u0323',
    '\u200d',
    '\ufe0f',
    '👩',
    '👧',
    '🏽',
    '🇩',
    '🇪',
    '1',
    '\u20e3',
    '\r',
    '\n',
    '\t',
  ],
  ...[
    '你',
    'か',
    '\u3099',
    'ｶ',
    '\uff9e',
    'ᄀ',
    'ᅡ',
    'ᆨ',
    '가',
    'न',
    '\u094d',
    'म',
    'ि',
    '\u0600',
    'ж',
    '\u00ad',
    '\u{e0067}',
  ],
];

t.test('clusters end where Unicode ends them, whatever stands beside what', async () => {
  const anyText = fc.oneof(
    fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 40 }),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const expected = boundaries(text);
      const found: number[] = [];
      for (let at = 0; at < text.length; at = graphemeEnd(text, at)) found.push(at);
      return JSON.stringify(found) === JSON.stringify(expected) && graphemeCount(text) === expected.length;
    }),
    { numRuns: 2_000 },
  );
});

t.test('a place inside a cluster belongs to its beginning', async () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 20 }), (text) => {
      const all = [...boundaries(text), text.length];
      return Array.from({ length: text.length + 1 }, (_, index) => index).every(
        (index) => graphemeAt(text, index) === all.findLast((boundary) => boundary <= index),
      );
    }),
  );
});

t.test('no unit that counts as plain ever joins another', async (t) => {
  const joined: number[] = [];
  for (let unit = 0; unit < 0xd800; unit++) {
    const text = String.fromCharCode(unit, 0x61);
    // With a mark behind it, it is looked at as a whole.
    if (graphemeEnd(text, 0) !== (boundaries(text)[1] ?? 2)) joined.push(unit);
    if (graphemeEnd(`a${String.fromCharCode(unit)}`, 0) !== (boundaries(`a${String.fromCharCode(unit)}`)[1] ?? 2))
      joined.push(unit);
  }
  t.same(joined, []);
});

t.test('a cluster of any length is one', async (t) => {
  const text = `e${'\u0301'.repeat(1_000)}a`;
  t.equal(graphemeEnd(text, 0), 1_001);
  t.equal(graphemeAt(text, 700), 0);
});

import t from 'tap';
import { font } from '../../../server/phone/text/font.ts';

const BODY = font(400, 24);
const BOX = BODY.width('\u{10ffff}');

const inkOf = (text: string): number => {
  const { coverage } = BODY.glyph(text, 0, text.length, 0);
  return coverage.reduce((sum, alpha) => sum + alpha, 0);
};

t.test('letters of many languages have glyphs of their own, and the same ones each time', async (t) => {
  const clusters = [
    'é',
    'ß',
    'Ł',
    'Ω',
    'ж',
    'e\u0301',
    '你',
    '们',
    '國',
    'か',
    'カ',
    '안',
    '😀',
    '👍🏽',
    '👩‍👩‍👧‍👦',
    '，',
  ];
  const box = BODY.glyph('\u{10ffff}', 0, 2, 0);
  for (const cluster of clusters) {
    t.ok(inkOf(cluster) > 0, `${cluster} is drawn`);
    t.notSame(BODY.glyph(cluster, 0, cluster.length, 0).coverage, box.coverage, `${cluster} is no box`);
    t.equal(BODY.glyph(cluster, 0, cluster.length, 0), BODY.glyph(cluster, 0, cluster.length, 0), 'drawn once');
    t.ok(BODY.width(cluster) > 0);
  }
});

t.test('what no font has is a box, one for each cluster', async (t) => {
  const box = inkOf('\u{10ffff}');
  t.ok(box > 0);
  for (const cluster of ['א', 'ع', 'नि', 'ก', '\u{1d11e}']) {
    t.equal(inkOf(cluster), box, cluster);
    t.equal(BODY.width(cluster), BOX, cluster);
  }
  t.equal(BODY.width('שלום'), 4 * BOX);
});

t.test('what shows nothing takes no room', async (t) => {
  for (const text of ['\u200b', '\u200d', '\u200e', '\ufeff', '\u00ad', '\u0000', '\u0007', '\ufe0f']) {
    t.equal(BODY.width(text), 0, text.charCodeAt(0).toString(16));
    t.equal(BODY.glyph(text, 0, 1, 0).width, 0);
  }
  t.equal(BODY.width('a\u200bb'), BODY.width('a') + BODY.width('b'), 'nor kerning across it');
});

t.test('a thousand clusters are kept, and those behind are drawn all the same', async (t) => {
  const small = font(400, 9);
  for (let code = 0x4e00; code < 0x4e00 + 2_500; code++) {
    const text = String.fromCharCode(code);
    if (small.glyph(text, 0, 1, 0).width === 0) t.fail(text);
  }
});

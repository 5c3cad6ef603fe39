import t from 'tap';
import { inputTexts, readScreencap } from '../../../../server/drivers/android/adb/adb-backend.ts';

/** Interprets arguments as `input text` does: `%s` is a space, and nothing else is special. */
const typed = (pieces: readonly string[]) => pieces.map((piece) => piece.replaceAll('%s', ' ')).join('');

t.test('every text is typed as it is, also one that has what stands for a blank', async (t) => {
  for (const text of ['a b', '%s', '100%', '%%s s', 'a%', ' ', "it's $5 `x`", '-n', '%s%s%s', 'x'.repeat(1_201)]) {
    t.equal(typed(inputTexts(text)), text, text);
    t.ok(inputTexts(text).every((piece) => piece.length > 0 && piece.length <= 502));
  }
  t.same(inputTexts(''), []);
});

function screencap(width: number, height: number, format: number, headerBytes: number, pixelBytes: number): Buffer {
  const head = Buffer.alloc(headerBytes);
  for (const [index, value] of [width, height, format].entries()) head.writeUInt32LE(value, index * 4);
  return Buffer.concat([head, Buffer.alloc(pixelBytes, 7)]);
}

t.test('pictures with the long and the short header are read, and nothing else is a picture', async (t) => {
  for (const header of [16, 12]) {
    const frame = readScreencap(screencap(4, 3, 1, header, 48));
    t.match(frame, { width: 4, height: 3 });
    t.ok(frame?.pixels.every((byte) => byte === 7));
  }
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('error: device offline'),
    screencap(4, 3, 1, 16, 47),
    screencap(4, 3, 1, 16, 49),
    screencap(4, 3, 4, 16, 48),
    screencap(0, 3, 1, 16, 48),
    screencap(4_000_000_000, 3, 1, 16, 48),
  ]) {
    t.equal(readScreencap(bytes), undefined);
  }
});

import t from 'tap';
import { readScreencap, screencapOf } from '../../../../server/drivers/android/adb/screencaps.ts';

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

t.test('one display of several is named, and one alone is not', async (t) => {
  t.strictSame(screencapOf(undefined), ['screencap']);
  t.strictSame(screencapOf('4619827551948147201', '-p'), ['screencap', '-p', '-d', '4619827551948147201']);
});

import t from 'tap';
import { videoHintBytes, writeVideoHint } from '../../../server/host/stream/video-hint.ts';

t.test('the hint is laid out as FFmpeg reads it', (t) => {
  const rects = [{ x: 1, y: 2, width: 3, height: 0x1234 }];
  const bytes = new Uint8Array(videoHintBytes(rects)).fill(0xee);
  writeVideoHint(bytes, rects);
  // prettier-ignore
  t.strictSame(
    [...bytes],
    [
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // one rectangle
      32,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // the first is here
      16,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // and takes so many bytes
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0, // it is what changed
      1,
      0,
      0,
      0,
      2,
      0,
      0,
      0,
      3,
      0,
      0,
      0,
      0x34,
      0x12,
      0,
      0,
    ],
  );
  t.end();
});

t.test('a screen where nothing changed has a hint without rectangles', (t) => {
  const bytes = new Uint8Array(videoHintBytes([]));
  writeVideoHint(bytes, []);
  t.strictSame([bytes[0], bytes[8], bytes[16], bytes[24], bytes.length], [0, 32, 16, 1, 32]);
  t.end();
});

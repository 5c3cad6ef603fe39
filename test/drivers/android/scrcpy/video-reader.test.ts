import { BufferedReadableStream, ReadableStream } from '@yume-chan/stream-extra';
import t from 'tap';
import { readVideo, type VideoPart } from '../../../../server/drivers/android/scrcpy/video-reader.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const NAME = Buffer.alloc(64, 'x');

/** By hand: codec, size, a configuration, a key picture, another one. */
const THREE = Buffer.concat([
  NAME,
  hex('68323634 00000438 00000960'),
  hex('8000000000000000 00000003 a1a2a3'),
  hex('4000000000000010 00000002 b1b2'),
  hex('0000000000000020 00000001 c1'),
]);

/** The same, where sizes are packets, and the device is turned in the end. */
const FOUR = Buffer.concat([
  NAME,
  hex('68323634'),
  hex('80000000 00000438 00000960'),
  hex('4000000000000000 00000003 a1a2a3'),
  hex('2000000000000010 00000002 b1b2'),
  hex('0000000000000020 00000001 c1'),
  hex('80000001 00000960 00000438'),
]);

const PARTS = ['size 1080 2400', 'configuration a1a2a3', 'picture b1b2', 'picture c1'];

/** Reads a stream that ends after these bytes; rejects with the reason if they are refused. */
async function read(form: 3 | 4, stream: Buffer, pieceBytes = stream.length): Promise<string[]> {
  const pieces = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < stream.length; at += pieceBytes) controller.enqueue(stream.subarray(at, at + pieceBytes));
      controller.close();
    },
  });
  const found: string[] = [];
  const tell = (part: VideoPart) =>
    part.kind === 'size' ? `size ${part.width} ${part.height}` : `${part.kind} ${part.payload.toString('hex')}`;
  try {
    for await (const part of readVideo(new BufferedReadableStream(pieces), form)) found.push(tell(part));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return found;
  }
  throw new Error('a stream that ends is an error');
}

t.test('both forms of a stream are read to the byte, however they are cut', async (t) => {
  for (let bytes = 1; bytes <= FOUR.length; bytes++) {
    t.strictSame(await read(3, THREE, bytes), PARTS, `pieces of ${bytes}`);
    t.strictSame(await read(4, FOUR, bytes), [...PARTS, 'size 2400 1080'], `pieces of ${bytes}`);
  }
});

t.test('half of a packet is not told', async (t) => {
  t.strictSame(await read(3, THREE.subarray(0, -1)), PARTS.slice(0, -1));
  t.strictSame(await read(4, FOUR.subarray(0, -1)), PARTS);
});

t.test('a device that has no video says why', async (t) => {
  for (const form of [3, 4] as const) {
    await t.rejects(read(form, Buffer.concat([NAME, hex('00000000')])), { name: 'RangeError', message: /switched/ });
    await t.rejects(read(form, Buffer.concat([NAME, hex('00000001')])), { name: 'RangeError', message: /encoder/ });
    await t.rejects(read(form, Buffer.concat([NAME, hex('68323635')])), { name: 'RangeError', message: /not H.264/ });
  }
});

t.test('a size or a length that cannot be is refused before anything is kept for it', async (t) => {
  const begin = { 3: THREE.subarray(0, 64 + 12), 4: FOUR.subarray(0, 64 + 4) };
  for (const size of ['00000000 00000960', '00000438 00000000', '00000a01 00000438', 'ffffffff ffffffff']) {
    await t.rejects(read(3, Buffer.concat([NAME, hex(`68323634 ${size}`)])), RangeError, size);
    await t.rejects(read(4, Buffer.concat([begin[4], hex(`80000000 ${size}`)])), RangeError, size);
  }
  const flags = { 3: ['80', '00'], 4: ['40', '00'] } as const;
  for (const form of [3, 4] as const) {
    const [configuration, picture] = flags[form];
    for (const head of [
      `${configuration}00000000000000 00010001`,
      `${configuration}00000000000000 00000000`,
      `${picture}00000000000000 00400001`,
      `${picture}00000000000000 00000000`,
      `${picture}00000000000000 ffffffff`,
    ]) {
      await t.rejects(read(form, Buffer.concat([begin[form], hex(head)])), RangeError, head);
    }
    await t.resolves(read(form, Buffer.concat([begin[form], hex(`${picture}00000000000000 00400000`)])));
  }
});

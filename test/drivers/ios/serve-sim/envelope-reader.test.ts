import t from 'tap';
import { EnvelopeReader } from '../../../../server/drivers/ios/serve-sim/envelope-reader.ts';

const chunk = (tag: number, payload: Buffer) => {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + 1);
  head[4] = tag;
  return Buffer.concat([head, payload]);
};

const STREAM = Buffer.concat([
  chunk(4, Buffer.from('jpeg')),
  chunk(1, Buffer.from('configuration')),
  chunk(2, Buffer.alloc(70_000, 7)),
  chunk(3, Buffer.from('d')),
  chunk(6, Buffer.alloc(0)),
  chunk(99, Buffer.from('later')),
]);

const EXPECTED = [
  ['seed', 4],
  ['configuration', 13],
  ['key', 70_000],
  ['delta', 1],
  ['delta', 0],
  ['other', 5],
];

t.test('chunks come whole, however the stream is cut', async (t) => {
  for (const size of [1, 2, 5, 1_000, 65_536, STREAM.length]) {
    const reader = new EnvelopeReader();
    const found: unknown[] = [];
    for (let at = 0; at < STREAM.length; at += size) {
      for (const { kind, payload } of reader.push(STREAM.subarray(at, at + size))) found.push([kind, payload.length]);
    }
    t.same(found, EXPECTED, `pieces of ${size}`);
  }
});

t.test('half a chunk is not told', async (t) => {
  t.same(new EnvelopeReader().push(chunk(2, Buffer.alloc(100)).subarray(0, 104)), []);
});

t.test('a length that cannot be is refused before anything is kept for it', async (t) => {
  for (const head of [Buffer.from('HTTP/1.1 200'), Buffer.alloc(8), Buffer.from([1, 0, 0, 1, 0])]) {
    t.throws(() => new EnvelopeReader().push(head), RangeError);
  }
});

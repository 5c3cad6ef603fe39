import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { readableBytes } from '../../server/finisher/part-extent.ts';
import { captureFolder, encodeClip, writeCapture } from '../host/recording/captures.ts';

const CLIP = await encodeClip(12, 20_000);

/** A part file of three fragments, and where each begins. */
async function capture(t: Pick<typeof import('tap').default, 'teardown'>) {
  const order = captureFolder(t);
  await writeCapture(order, CLIP, { perFragment: 4 });
  const part = readFileSync(order.partFile);
  const fragments: number[] = [];
  for (let at = part.indexOf('moof'); at >= 0; at = part.indexOf('moof', at + 4)) fragments.push(at - 4);
  const readable = async (bytes: Buffer) => {
    writeFileSync(order.partFile, bytes);
    return readableBytes(order.partFile);
  };
  return { part, fragments, readable };
}

t.test('a whole file is readable to its end', async (t) => {
  const { part, fragments, readable } = await capture(t);
  t.equal(fragments.length, 3);
  t.equal(await readable(part), part.length);
});

t.test('half an index does not count, half of its pictures does', async (t) => {
  const { part, fragments, readable } = await capture(t);
  const [, second = 0] = fragments;
  const pictures = part.indexOf('mdat', second) - 4;
  for (let cut = second; cut < pictures; cut++) {
    const found = await readable(part.subarray(0, cut));
    if (found !== second) t.fail(`cut at ${cut}: ${found} instead of ${second}`);
  }
  for (const cut of [pictures + 8, pictures + 100, pictures + 2_000]) {
    t.equal(await readable(part.subarray(0, cut)), cut);
  }
  for (let cut = pictures; cut < pictures + 8; cut++) t.equal(await readable(part.subarray(0, cut)), pictures);
});

t.test('an index that a power cut filled with zeros ends what counts', async (t) => {
  const { part, fragments, readable } = await capture(t);
  const [, second = 0] = fragments;
  for (const from of [0, 8, 16, 40, 60]) {
    const torn = Buffer.from(part);
    torn.fill(0, second + from, part.indexOf('mdat', second) - 4);
    t.equal(await readable(torn), second, `zeros from ${from}`);
  }
});

t.test('sizes of 64 bits are understood, and senseless ones end what counts', async (t) => {
  const { readable } = await capture(t);
  const long = Buffer.alloc(40);
  long.writeUInt32BE(1, 0);
  long.write('mdat', 4);
  long.writeBigUInt64BE(24n, 8);
  long.writeUInt32BE(16, 24);
  long.write('free', 28);
  t.equal(await readable(long), 40);
  long.writeBigUInt64BE(3n, 8);
  t.equal(await readable(long), 0);
  for (const size of [0, 2, 7]) {
    long.writeUInt32BE(size, 0);
    t.equal(await readable(long), 0, `a box of ${size} bytes`);
  }
  t.equal(await readable(Buffer.alloc(0)), 0);
  const endless = Buffer.from([0xff, 0xff, 0xff, 0xff, ...Buffer.from('moof'), ...Buffer.alloc(50)]);
  t.equal(await readable(endless), 0);
});

import t from 'tap';
import { AnnexBReader, type ReadPicture } from '../../server/h264/annex-b-reader.ts';
import { seeded } from '../conformance/random.ts';
import { annexBPictures, HEIGHT, WIDTH } from '../support/ios/annex-b-pictures.ts';
import { digestOf, unitsOf } from '../support/ios/serve-sim-stand-in.ts';

const isSlice = (unit: Buffer) => [1, 5].includes((unit[0] ?? 0) % 32);
const slicesOf = (bytes: Uint8Array) => unitsOf(Buffer.from(bytes)).filter(isSlice).map(digestOf);
const told = (pictures: readonly ReadPicture[]) => pictures.map(({ unit }) => slicesOf(unit.payload).join());

const payloads = await annexBPictures(24);
const whole = Buffer.concat(payloads);
const EXPECTED = payloads.map((payload) => slicesOf(payload).join());

t.test('pictures come out as they went in, wherever the pieces of the stream end', async (t) => {
  const random = seeded(37);
  for (const bytesMax of [1, 2, 3, 5, 700, 40_000, whole.length]) {
    const reader = new AnnexBReader();
    const pictures: ReadPicture[] = [];
    for (let at = 0; at < whole.length; ) {
      const end = at + 1 + Math.floor(random() * bytesMax);
      pictures.push(...reader.push(whole.subarray(at, end)));
      at = end;
    }
    t.ok(pictures.length < payloads.length, 'where the last one ends is not known yet');
    pictures.push(...reader.flush());
    t.same(told(pictures), EXPECTED, `pieces of up to ${bytesMax} bytes`);
    t.same(
      pictures.flatMap(({ unit: { key } }, index) => (key ? [index] : [])),
      [0, 10, 20],
    );
    t.match(pictures[0]?.head, { width: WIDTH, height: HEIGHT });
    t.same(reader.flush(), [], 'nothing is told twice');
  }
});

t.test('a stream that is joined in its middle begins with its next parameter sets', async (t) => {
  const reader = new AnnexBReader();
  const pictures = [...reader.push(Buffer.concat(payloads.slice(5, 13))), ...reader.flush()];
  t.same(told(pictures), EXPECTED.slice(10, 13));
});

t.test('a picture of several slices is one picture', async (t) => {
  const [head = Buffer.alloc(0)] = payloads;
  const units = unitsOf(head);
  // The second half of a picture: a slice that does not begin with the first macroblock.
  const slice = Buffer.from(units.find(isSlice) ?? []);
  slice[1] = (slice[1] ?? 0) & 0x7f;
  const reader = new AnnexBReader();
  const pictures = reader.push(Buffer.concat([head, Buffer.from([0, 0, 1]), slice, ...payloads.slice(1, 3)]));
  t.equal(pictures.length, 1);
  t.equal(slicesOf(pictures[0]?.unit.payload ?? new Uint8Array()).length, slicesOf(head).length + 1);
});

t.test('bytes that are no such stream are refused, and so is a unit without an end', async (t) => {
  t.throws(() => new AnnexBReader().push(Buffer.alloc(64, 0xff)), RangeError);
  t.throws(() => new AnnexBReader().push(Buffer.from('HTTP/1.1 404 Not Found')), RangeError);
  const reader = new AnnexBReader();
  const piece = Buffer.alloc(4 * 1_048_576, 0x55);
  reader.push(Buffer.concat([Buffer.from([0, 0, 1, 0x41]), piece]));
  t.throws(() => {
    for (let count = 0; count < 4; count++) reader.push(piece);
  }, RangeError);
  const sets = unitsOf(payloads[0] ?? Buffer.alloc(0)).filter((unit) => !isSlice(unit));
  const garbled = Buffer.concat(
    [...sets.map((unit) => Buffer.concat([unit.subarray(0, 1), Buffer.alloc(3, 0xff)])), Buffer.alloc(4, 0x65)].flatMap(
      (unit) => [Buffer.from([0, 0, 1]), unit],
    ),
  );
  t.throws(() => new AnnexBReader().push(Buffer.concat([garbled, garbled])), 'parameter sets that say nothing');
});

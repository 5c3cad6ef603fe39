import fc from 'fast-check';
import t from 'tap';
import type { Rect } from '../../server/device/driver.ts';
import { type Pixels, PngRows } from '../../server/host/png-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';

/** Rows as the standard draws them, pixel by pixel. */
function plainRows({ pixels, width, height }: Pixels): Buffer {
  const rows: number[] = [];
  for (let y = 0; y < height; y++) {
    rows.push(0);
    for (let x = 0; x < width; x++) rows.push(...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3));
  }
  return Buffer.from(rows);
}

const filled = (width: number, height: number, of: (at: number) => number, more: Partial<Pixels> = {}): Pixels => ({
  pixels: Uint8Array.from({ length: width * height * 4 }, (_, at) => of(at)),
  width,
  height,
  ...more,
});
const same = (rows: Uint8Array, picture: Pixels) => Buffer.compare(rows, plainRows(picture)) === 0;

t.test('after any changes in any places, the rows are those of the newest picture', async () => {
  const steps = fc.array(
    fc.record({
      x: fc.nat(12),
      y: fc.nat(8),
      width: fc.integer({ min: 1, max: 13 }),
      height: fc.integer({ min: 1, max: 9 }),
      byte: fc.nat(255),
      skipped: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(steps, (changes) => {
      const [width, height] = [13, 9];
      const pixels = Uint8Array.from({ length: width * height * 4 }, (_, at) => at % 251);
      const rows = new PngRows(new FakeClock());
      let version = 1;
      rows.giveBack(rows.lend({ pixels, width, height, version, damage: [] }));
      for (const { byte, skipped, ...wanted } of changes) {
        const rect: Rect = {
          ...wanted,
          width: Math.min(wanted.width, width - wanted.x),
          height: Math.min(wanted.height, height - wanted.y),
        };
        for (let y = rect.y; y < rect.y + rect.height; y++) {
          pixels.fill(byte, (y * width + rect.x) * 4, (y * width + rect.x + rect.width) * 4);
        }
        version++;
        // A picture that went to somebody else: its damage is never heard of here.
        if (skipped) continue;
        const lent = rows.lend({ pixels, width, height, version, damage: [rect] });
        if (!same(lent, { pixels, width, height })) return false;
        rows.giveBack(lent);
      }
      return true;
    }),
  );
});

t.test('of the next version only the damage is read; of a later one, or of an unknown one, everything', async (t) => {
  const rows = new PngRows(new FakeClock());
  const white = filled(6, 4, () => 255, { version: 1, damage: [] });
  const black = filled(6, 4, () => 0);
  const rect = { x: 1, y: 1, width: 2, height: 2 };
  rows.giveBack(rows.lend(white));
  const patched = rows.lend({ ...black, version: 2, damage: [rect] });
  t.equal(patched.filter((byte) => byte === 0).length, 4 + 4 * 3, 'filters, and four pixels');
  rows.giveBack(patched);
  t.ok(same(rows.lend({ ...black, version: 4, damage: [rect] }), black));
  const other = new PngRows(new FakeClock());
  other.giveBack(other.lend(filled(6, 4, () => 255)));
  t.ok(same(other.lend(black), black));
});

t.test('a picture of another size, also of as many pixels, starts anew', async (t) => {
  const rows = new PngRows(new FakeClock());
  rows.giveBack(rows.lend(filled(6, 4, () => 255, { version: 1, damage: [] })));
  const turned = filled(4, 6, (at) => at, { version: 2, damage: [] });
  t.ok(same(rows.lend(turned), turned));
});

t.test('rows that are lent stay as they are, whoever asks meanwhile', async (t) => {
  const rows = new PngRows(new FakeClock());
  const [one, two] = [filled(5, 3, () => 1, { version: 1, damage: [] }), filled(5, 3, () => 2, { version: 2 })];
  const lent = rows.lend(one);
  const meanwhile = rows.lend(two);
  t.ok(same(lent, one) && same(meanwhile, two));
  rows.giveBack(meanwhile);
  t.ok(same(rows.lend(two), two), 'still lent, whatever else is given back');
  rows.giveBack(lent);
  t.equal(rows.lend({ ...one, version: 1, damage: [] }).buffer, lent.buffer, 'and can be lent again');
});

t.test('a device that is left alone keeps no rows', async (t) => {
  const clock = new FakeClock();
  const rows = new PngRows(clock);
  const picture = filled(5, 3, () => 1, { version: 1, damage: [] });
  const first = rows.lend(picture);
  rows.giveBack(first);
  await clock.advance(1_900);
  const second = rows.lend(picture);
  t.equal(second.buffer, first.buffer);
  rows.giveBack(second);
  await clock.advance(1_900);
  t.equal(rows.lend(picture).buffer, first.buffer, 'each use keeps them for longer');
  rows.giveBack(first);
  await clock.advance(2_000);
  t.not(rows.lend(picture).buffer, first.buffer);
});

import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { isApplePng, readApplePng } from '../../server/packages/apple-png.ts';
import { applePng } from '../support/apple-png.ts';
import { solidPng } from '../support/ios-package.ts';

t.test("Apple's pictures are told from others, and every row filter is undone", async (t) => {
  const colour = (x: number, y: number) => [x * 9, y * 11, (x * y) % 256, 255] as const;
  const file = applePng(23, 20, colour);
  t.equal(isApplePng(file), true);
  t.equal(isApplePng(solidPng(10, '#fff')), false);
  const { width, height, pixels } = readApplePng(file, 1_000);
  t.same({ width, height }, { width: 23, height: 20 });
  const wanted = Buffer.from(
    Array.from({ length: 23 * 20 }, (_, at) => [...colour(at % 23, Math.floor(at / 23))]).flat(),
  );
  t.equal(Buffer.compare(pixels, wanted), 0);
});

t.test('colours are no longer multiplied with their alpha', async (t) => {
  const { pixels } = readApplePng(
    applePng(2, 1, (x) => (x === 0 ? [200, 100, 50, 128] : [255, 255, 255, 0])),
    10,
  );
  const [red = 0, green = 0, blue = 0, alpha] = pixels;
  t.equal(alpha, 128);
  for (const [found, wanted] of [
    [red, 200],
    [green, 100],
    [blue, 50],
  ] as const)
    t.ok(Math.abs(found - wanted) <= 1);
  t.same([...pixels.subarray(4)], [0, 0, 0, 0]);
});

t.test('a picture that is too large, cut off, or of another kind is refused', async (t) => {
  const file = applePng(10, 10, () => [1, 2, 3, 255]);
  t.throws(() => readApplePng(file, 99), PackageFault);
  t.doesNotThrow(() => readApplePng(file, 100));
  const header = file.indexOf('IHDR') + 4;
  const changed = (at: number, value: number) => Buffer.from(file).fill(value, header + at, header + at + 1);
  for (const at of [8, 9, 12]) t.throws(() => readApplePng(changed(at, 3), 1_000), PackageFault, `header byte ${at}`);
  t.throws(() => readApplePng(changed(0, 0x7f), 1_000), PackageFault, 'two billion pixels wide');
  t.throws(() => readApplePng(changed(7, 11), 1_000), 'more rows than there is data for');
  for (const length of [10, 20, 40, file.length - 30]) t.throws(() => readApplePng(file.subarray(0, length), 1_000));
});

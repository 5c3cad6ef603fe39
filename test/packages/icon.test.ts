import sharp from 'sharp';
import t from 'tap';
import { largestIcon } from '../../server/packages/icon.ts';
import { applePng } from '../support/apple-png.ts';
import { solidPng } from '../support/ios-package.ts';

async function pixelsOf(png: Uint8Array | undefined) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)];
  return { info, at };
}

t.test('PNG, WebP, JPEG and the PNG of Apple all become a small PNG', async (t) => {
  const plain = solidPng(300, '#0000c8');
  const files = [
    plain,
    await sharp(plain).webp({ lossless: true }).toBuffer(),
    await sharp(plain).jpeg({ quality: 100 }).toBuffer(),
    applePng(30, 30, () => [0, 0, 200, 255]),
  ];
  for (const file of files) {
    const icon = await largestIcon([file]);
    const { info, at } = await pixelsOf(icon);
    t.match(info, { width: 192, height: 192 });
    const [red = 0, green = 0, blue = 0, alpha] = at(96, 96);
    t.ok(red < 8 && green < 8 && Math.abs(blue - 200) < 8 && alpha === 255);
    t.ok((icon?.length ?? 0) < 100_000);
  }
});

t.test('a picture that is not square keeps its shape, with nothing beside it', async (t) => {
  const wide = await sharp({ create: { width: 100, height: 50, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  const { at } = await pixelsOf(await largestIcon([wide]));
  t.same(at(96, 4), [0, 0, 0, 0]);
  t.same(at(96, 96), [255, 0, 0, 255]);
});

t.test('a broken picture is passed over for the next one, and none is no fault', async (t) => {
  const good = solidPng(20, '#00ff00');
  const { at } = await pixelsOf(await largestIcon([Buffer.from('no picture'), good.subarray(0, 40), good]));
  t.same(at(96, 96), [0, 255, 0, 255]);
  t.equal(await largestIcon([Buffer.from('<svg xmlns="x"/>'), Buffer.alloc(0)]), undefined);
  t.equal(await largestIcon([]), undefined);
});

t.test('a picture that claims to be enormous is not unpacked', async (t) => {
  const lying = solidPng(20, '#00ff00');
  lying.writeUInt32BE(60_000, lying.indexOf('IHDR') + 4);
  lying.writeUInt32BE(60_000, lying.indexOf('IHDR') + 8);
  t.equal(await largestIcon([lying]), undefined);
});

t.test('a drawing is no picture: what it names would be fetched', async (t) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><rect width="50" height="50"/></svg>';
  t.equal(await largestIcon([Buffer.from(drawing)]), undefined);
});

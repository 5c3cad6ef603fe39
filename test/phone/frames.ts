import type { Picture, Rect } from '../../server/device/driver.ts';
import { colourAt, type ManualPhone } from './manual-phone.ts';

/** The pictures of a time, one every 16 ms of the phone's clock; each is valid until the next. */
export function* frames({ phone, clock }: ManualPhone, durationMs: number): Generator<Picture> {
  for (let atMs = 0; atMs <= durationMs; atMs += 16) {
    yield phone.render();
    clock.advance(16);
  }
}

/**
 * The smallest box around the pixels of a colour, written `#rrggbb`; `undefined` if there are fewer than `least`. Rows from
 * `end` on do not count.
 */
export function boxOf({ pixels, width, height }: Picture, colour: string, least = 1, end = height) {
  const wanted = Buffer.from(`${colour.slice(1)}ff`, 'hex').readUInt32LE();
  const words = new Uint32Array(pixels.buffer, pixels.byteOffset, width * end);
  const box = { left: width, top: height, right: -1, bottom: -1, count: 0 };
  for (let y = 0, index = 0; y < end; y++) {
    for (let x = 0; x < width; x++, index++) {
      if (words[index] !== wanted) continue;
      if (x < box.left) box.left = x;
      if (x > box.right) box.right = x;
      if (y < box.top) box.top = y;
      box.bottom = y;
      box.count++;
    }
  }
  return box.count < least ? undefined : box;
}

const brightness = (hex: string): number => {
  const value = Number.parseInt(hex.slice(1), 16);
  return (value >>> 16) * 0.3 + ((value >>> 8) & 0xff) * 0.59 + (value & 0xff) * 0.11;
};

/** The brightness of each pixel of an area, from 0 to 255, in ascending order. */
export function brightnessIn(picture: Picture, { x, y, width, height }: Rect): number[] {
  const values: number[] = [];
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++)
      values.push(brightness(colourAt(picture, { x: column, y: row })));
  }
  return values.sort((a, b) => a - b);
}

/** The difference in brightness, from 0 to 255, between the time in the status bar and what is behind it. */
export function statusContrast(subject: ManualPhone, picture: Picture): number {
  const { px, platform } = subject.theme;
  const [x, y] = platform === 'ios' ? [px(34), px(23)] : [px(20), px(13)];
  const values = brightnessIn(picture, { x, y, width: px(34), height: px(11) });
  const ground = values[Math.floor(values.length * 0.5)] ?? 0;
  return Math.max(ground - (values[0] ?? 0), (values.at(-1) ?? 0) - ground);
}

import type { Command, Dots } from './command.ts';
import type { Mask, Sprite } from './sprite.ts';
import { blend, type Clip, mixOpaqueSpan, mixSpan, type Surface, weight } from './surface.ts';

/** Copies the part of a sprite that lies in the clip; `command.amount` is its alpha. */
export function copySprite(surface: Surface, clip: Clip, command: Command): void {
  const sprite = command.content as Sprite;
  const { words } = surface;
  const count = clip.right - clip.left;
  const strength = weight(command.amount);
  for (let at = clip.top; at < clip.bottom; at++) {
    const row = at - command.y;
    const from = row * sprite.width + clip.left - command.x;
    const to = at * surface.width + clip.left;
    const over = sprite.words.subarray(from, from + count);
    const isOpaque = row >= sprite.opaqueFrom && row < sprite.opaqueTo;
    if (isOpaque && strength === 256) words.set(over, to);
    else if (isOpaque) mixOpaqueSpan(words.subarray(to, to + count), over, strength);
    else mixSpan(words.subarray(to, to + count), over, strength);
  }
}

/** Blends a colour over the pixels that a mask covers; the mask's top left corner is at (x, y). */
export function fillMask(surface: Surface, clip: Clip, mask: Mask, x: number, y: number, colour: number): void {
  const { words } = surface;
  const left = Math.max(clip.left, x);
  const right = Math.min(clip.right, x + mask.width);
  const bottom = Math.min(clip.bottom, y + mask.height);
  const alpha = colour >>> 24;
  for (let at = Math.max(clip.top, y); at < bottom; at++) {
    const from = (at - y) * mask.width - x;
    const row = at * surface.width;
    for (let column = left; column < right; column++) {
      const covered = mask.coverage[from + column] ?? 0;
      if (covered === 0) continue;
      const strength = weight(alpha === 255 ? covered : Math.round((covered * alpha) / 255));
      words[row + column] = blend(words[row + column] ?? 0, colour, strength);
    }
  }
}

export function fillDots(surface: Surface, clip: Clip, command: Command): void {
  const { mask, places } = command.content as Dots;
  for (let index = 0; index < places.length; index += 2) {
    const x = (places[index] ?? 0) + command.x;
    const y = (places[index + 1] ?? 0) + command.y;
    if (x >= clip.right || y >= clip.bottom || x + mask.width <= clip.left || y + mask.height <= clip.top) continue;
    fillMask(surface, clip, mask, x, y, command.colour);
  }
}

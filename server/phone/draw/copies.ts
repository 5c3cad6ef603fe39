import type { Command, Dots } from './command.ts';
import type { Mask, Sprite } from './sprite.ts';
import { blend, blendOver, type Clip, type Surface, weight } from './surface.ts';

/** Copies the part of a sprite that lies in the clip; `command.amount` is its alpha. */
export function copySprite(surface: Surface, clip: Clip, command: Command): void {
  const sprite = command.content as Sprite;
  const { words } = surface;
  const span = clip.right - clip.left;
  const strength = weight(command.amount);
  for (let at = clip.top; at < clip.bottom; at++) {
    const from = (at - command.y) * sprite.width + clip.left - command.x;
    const to = at * surface.width + clip.left;
    if (sprite.opaque && strength === 256) {
      words.set(sprite.words.subarray(from, from + span), to);
      continue;
    }
    for (let column = 0; column < span; column++) {
      const over = sprite.words[from + column] ?? 0;
      if (over >>> 24 === 0) continue;
      const scaled = strength === 256 ? over : scale(over, strength);
      words[to + column] = blendOver(words[to + column] ?? 0, scaled);
    }
  }
}

/** Multiplies all four channels of a premultiplied word by `strength`, 0 to 256. */
function scale(word: number, strength: number): number {
  const low = (Math.imul(word & 0xff00ff, strength) >>> 8) & 0xff00ff;
  const high = Math.imul((word >>> 8) & 0xff00ff, strength) & 0xff00ff00;
  return (low | high) >>> 0;
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

import type { Command, Layer } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { blend, type Clip, Surface, weight } from './surface.ts';

/** Blends a finished surface over the picture, scaled to the command's size by nearest neighbour. */
export function copyScaled(surface: Surface, clip: Clip, command: Command, source: Surface): void {
  const { x, y, width, height, amount } = command;
  const radius = (command.content as Layer).radius;
  const corner = cornerCoverage(radius, 'round');
  const full = weight(amount);
  const columns = Int32Array.from({ length: clip.right - clip.left }, (_, index) =>
    Math.floor(((clip.left + index - x + 0.5) * source.width) / width),
  );
  for (let at = clip.top; at < clip.bottom; at++) {
    const from = Math.min(source.height - 1, Math.floor(((at - y + 0.5) * source.height) / height)) * source.width;
    const row = at * surface.width;
    const depth = Math.min(at - y, y + height - 1 - at);
    const rounded = depth < radius ? radius : 0;
    for (let column = clip.left; column < clip.right; column++) {
      const over = (source.words[from + (columns[column - clip.left] ?? 0)] ?? 0) | 0;
      const inward = Math.min(column - x, x + width - 1 - column);
      let alpha = full;
      if (inward < rounded) alpha = weight(Math.round(((corner[depth * radius + inward] ?? 0) * amount) / 255));
      surface.words[row + column] = alpha === 256 ? over : blend(surface.words[row + column] ?? 0, over, alpha);
    }
  }
}

let scratch = new Uint32Array();

/** A shared surface that is valid until the next call, since layers are drawn one after another and are never nested. */
export function scratchSurface(width: number, height: number): Surface {
  if (scratch.length < width * height) scratch = new Uint32Array(width * height);
  return new Surface(width, height, scratch.subarray(0, width * height));
}

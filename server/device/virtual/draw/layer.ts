import type { Command, Layer } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { blend, type Clip, Surface, weight } from './surface.ts';

/** Lays a finished surface, scaled to the command's size by nearest pixels, over the picture. */
export function copyScaled(surface: Surface, clip: Clip, command: Command, source: Surface): void {
  const { x, y, width, height } = command;
  const radius = (command.content as Layer).radius;
  const corner = cornerCoverage(radius, 'round');
  for (let at = clip.top; at < clip.bottom; at++) {
    const from = Math.min(source.height - 1, Math.floor(((at - y + 0.5) * source.height) / height)) * source.width;
    const row = at * surface.width;
    const depth = Math.min(at - y, y + height - 1 - at);
    for (let column = clip.left; column < clip.right; column++) {
      const inward = Math.min(column - x, x + width - 1 - column);
      const inside = depth < radius && inward < radius ? (corner[depth * radius + inward] ?? 0) : 255;
      const over = source.words[from + Math.floor(((column - x + 0.5) * source.width) / width)] ?? 0;
      const alpha = weight(Math.round((inside * command.amount) / 255));
      surface.words[row + column] = blend(surface.words[row + column] ?? 0, over, alpha);
    }
  }
}

let scratch = new Uint32Array();

/** A surface that lives until the next call: layers come one after another and never inside each other. */
export function scratchSurface(width: number, height: number): Surface {
  if (scratch.length < width * height) scratch = new Uint32Array(width * height);
  return new Surface(width, height, scratch.subarray(0, width * height));
}

import type { Command } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { scratchSurface } from './layer.ts';
import { drawCommands } from './raster.ts';
import type { Sprite } from './sprite.ts';

/** Source pixels looked at for each pixel of a thumbnail, on each axis. */
const SAMPLES = 2;

/** A scene of `width` by `height` pixels drawn small, with rounded corners. */
export function thumbnail(
  commands: readonly Command[],
  width: number,
  height: number,
  target: { readonly width: number; readonly height: number; readonly radius: number },
): Sprite {
  const source = scratchSurface(width, height);
  drawCommands(source, { left: 0, top: 0, right: width, bottom: height }, commands);
  const corner = cornerCoverage(target.radius, 'round');
  const words = new Uint32Array(target.width * target.height);
  for (let y = 0; y < target.height; y++) {
    const depth = Math.min(y, target.height - 1 - y);
    for (let x = 0; x < target.width; x++) {
      const inward = Math.min(x, target.width - 1 - x);
      const inside = depth < target.radius && inward < target.radius;
      const alpha = inside ? (corner[depth * target.radius + inward] ?? 0) : 255;
      let red = 0;
      let green = 0;
      let blue = 0;
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const column = Math.floor(((x + ((sample % SAMPLES) + 0.5) / SAMPLES) * width) / target.width);
        const row = Math.floor(((y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) * height) / target.height);
        const word = source.words[row * width + column] ?? 0;
        red += word & 0xff;
        green += (word >>> 8) & 0xff;
        blue += (word >>> 16) & 0xff;
      }
      const part = alpha / (255 * SAMPLES * SAMPLES);
      words[y * target.width + x] =
        (alpha << 24) | (Math.round(blue * part) << 16) | (Math.round(green * part) << 8) | Math.round(red * part);
    }
  }
  return { width: target.width, height: target.height, words, opaque: false };
}

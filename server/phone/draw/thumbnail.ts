import type { Command } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { scratchSurface } from './layer.ts';
import { drawCommands } from './raster.ts';
import type { Sprite } from './sprite.ts';

/** Two sample positions in the source for each pixel of a thumbnail, along one axis. */
function samplePlaces(source: number, target: number): Int32Array {
  return Int32Array.from({ length: target * 2 }, (_, index) => Math.floor(((index + 0.5) * source) / (target * 2)));
}

/** The mean of four opaque words. It sums two channels at a time, since each then has 16 bits for its sum. */
function average(a: number, b: number, c: number, d: number): number {
  const redBlue = (a & 0xff00ff) + (b & 0xff00ff) + (c & 0xff00ff) + (d & 0xff00ff);
  const green = (a & 0xff00) + (b & 0xff00) + (c & 0xff00) + (d & 0xff00);
  return ((redBlue >>> 2) & 0xff00ff) | ((green >>> 2) & 0xff00);
}

/** A colour premultiplied with an alpha of 0 to 255. */
function scaled(word: number, alpha: number): number {
  if (alpha === 255) return (0xff000000 | word) >>> 0;
  const channel = (shift: number) => Math.round((((word >>> shift) & 0xff) * alpha) / 255) << shift;
  return ((alpha << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}

/** Draws a scene of `width` by `height` pixels as a small picture with rounded corners. */
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
  const columns = samplePlaces(width, target.width);
  const rows = samplePlaces(height, target.height);
  for (let y = 0; y < target.height; y++) {
    const depth = Math.min(y, target.height - 1 - y);
    const upper = (rows[y * 2] ?? 0) * width;
    const lower = (rows[y * 2 + 1] ?? 0) * width;
    for (let x = 0; x < target.width; x++) {
      const left = columns[x * 2] ?? 0;
      const right = columns[x * 2 + 1] ?? 0;
      const a = source.words[upper + left] ?? 0;
      const b = source.words[upper + right] ?? 0;
      const c = source.words[lower + left] ?? 0;
      const d = source.words[lower + right] ?? 0;
      const inward = Math.min(x, target.width - 1 - x);
      const inside = depth < target.radius && inward < target.radius;
      const alpha = inside ? (corner[depth * target.radius + inward] ?? 0) : 255;
      words[y * target.width + x] = scaled(average(a, b, c, d), alpha);
    }
  }
  return { width: target.width, height: target.height, words, opaque: false };
}

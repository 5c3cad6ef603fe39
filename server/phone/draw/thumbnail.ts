import type { Size } from '../geometry.ts';
import type { Command } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { sharedPicture } from './raster.ts';
import { premultiplied, type Sprite } from './sprite.ts';

/** The size of a small picture, and the radius of its corners. */
interface Target extends Size {
  readonly radius: number;
}

const OPAQUE = 0xff000000;

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

/** One row of the small picture, from two rows of the large one. */
function averageRow(row: Uint32Array, words: Uint32Array, upper: number, lower: number, columns: Int32Array): void {
  for (let x = 0; x < row.length; x++) {
    const left = columns[x * 2] as number;
    const right = columns[x * 2 + 1] as number;
    const a = words[upper + left] as number;
    const b = words[upper + right] as number;
    const c = words[lower + left] as number;
    const d = words[lower + right] as number;
    row[x] = OPAQUE | average(a, b, c, d);
  }
}

function roundCorners(words: Uint32Array, { width, height, radius }: Target): void {
  const corner = cornerCoverage(radius, 'round');
  for (let down = 0; down < radius; down++) {
    for (let across = 0; across < radius; across++) {
      const alpha = corner[down * radius + across] ?? 0;
      for (const y of [down, height - 1 - down]) {
        for (const x of [across, width - 1 - across]) {
          words[y * width + x] = premultiplied(words[y * width + x] ?? 0, alpha);
        }
      }
    }
  }
}

/** Draws a scene of `width` by `height` pixels as a small picture with rounded corners. */
export function thumbnail(commands: readonly Command[], width: number, height: number, target: Target): Sprite {
  const source = sharedPicture(commands, width, height);
  const words = new Uint32Array(target.width * target.height);
  const columns = samplePlaces(width, target.width);
  const rows = samplePlaces(height, target.height);
  for (let y = 0; y < target.height; y++) {
    const upper = (rows[y * 2] as number) * width;
    const lower = (rows[y * 2 + 1] as number) * width;
    averageRow(words.subarray(y * target.width, (y + 1) * target.width), source.words, upper, lower, columns);
  }
  roundCorners(words, target);
  return { ...target, words, opaqueFrom: target.radius, opaqueTo: target.height - target.radius };
}

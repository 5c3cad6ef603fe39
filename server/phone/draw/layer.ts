import type { Command, Layer } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { blend, type Clip, type Surface, weight } from './surface.ts';

/** Blends a finished surface over the picture, scaled to the command's size by nearest neighbour. */
export function copyScaled(surface: Surface, clip: Clip, command: Command, source: Surface): void {
  const { x, y, width, height, amount } = command;
  const { words } = surface;
  const radius = (command.content as Layer).radius;
  const corner = cornerCoverage(radius, 'round');
  const full = weight(amount);
  const columns = Int32Array.from({ length: clip.right - clip.left }, (_, index) =>
    Math.floor(((clip.left + index - x + 0.5) * source.width) / width),
  );
  const innerLeft = Math.min(clip.right, Math.max(clip.left, x + radius));
  const innerRight = Math.max(innerLeft, Math.min(clip.right, x + width - radius));
  for (let at = clip.top; at < clip.bottom; at++) {
    const from = Math.min(source.height - 1, Math.floor(((at - y + 0.5) * source.height) / height)) * source.width;
    const row = at * surface.width;
    const depth = Math.min(at - y, y + height - 1 - at);
    const isStraight = depth >= radius;
    const left = isStraight ? clip.left : innerLeft;
    const right = isStraight ? clip.right : innerRight;
    const places = columns.subarray(left - clip.left, right - clip.left);
    if (width === source.width && full === 256) {
      words.set(source.words.subarray(from + left - x, from + right - x), row + left);
    } else fillRow(words, row + left, source.words, from, places, full);
    for (let column = clip.left; column < clip.right; column++) {
      // On to the corner at the other end.
      if (column === left) column = right;
      if (column >= clip.right) break;
      const inward = Math.min(column - x, x + width - 1 - column);
      const alpha = weight(Math.round(((corner[depth * radius + inward] ?? 0) * amount) / 255));
      const over = source.words[from + (columns[column - clip.left] ?? 0)] ?? 0;
      words[row + column] = blend(words[row + column] ?? 0, over, alpha);
    }
  }
}

/** A row without corners: most of a layer consists of these. */
function fillRow(
  words: Uint32Array,
  at: number,
  source: Uint32Array,
  from: number,
  columns: Int32Array,
  alpha: number,
): void {
  if (alpha === 256) {
    for (let index = 0; index < columns.length; index++)
      words[at + index] = source[from + (columns[index] as number)] as number;
    return;
  }
  for (let index = 0; index < columns.length; index++) {
    words[at + index] = blend(words[at + index] as number, source[from + (columns[index] as number)] as number, alpha);
  }
}

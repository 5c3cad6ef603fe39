import { faded } from './colour.ts';
import type { Command } from './command.ts';
import { cornerCoverage } from './corner.ts';
import { blend, type Clip, fillSpan, type Surface, weight } from './surface.ts';

/** Fills the part of a rectangle that lies in the clip. */
export function fillRect(surface: Surface, clip: Clip, command: Command): void {
  for (let y = clip.top; y < clip.bottom; y++) {
    const row = y * surface.width;
    fillSpan(surface.words, row + clip.left, row + clip.right, command.colour);
  }
}

/** Fills a rectangle with rounded, anti-aliased corners. */
export function fillRound(surface: Surface, clip: Clip, command: Command): void {
  const { x, y, width, height, amount: radius, colour } = command;
  const corner = cornerCoverage(radius, command.shape);
  const innerLeft = Math.max(clip.left, x + radius);
  const innerRight = Math.min(clip.right, x + width - radius);
  for (let at = clip.top; at < clip.bottom; at++) {
    const row = at * surface.width;
    const depth = Math.min(at - y, y + height - 1 - at);
    if (depth >= radius) {
      fillSpan(surface.words, row + clip.left, row + clip.right, colour);
      continue;
    }
    const left = depth * radius - x;
    for (let column = clip.left; column < clip.right && column < x + radius; column++) {
      cover(surface.words, row + column, colour, corner[left + column] ?? 0);
    }
    fillSpan(surface.words, row + innerLeft, row + innerRight, colour);
    const right = depth * radius + x + width - 1;
    for (let column = Math.max(clip.left, x + width - radius); column < clip.right; column++) {
      cover(surface.words, row + column, colour, corner[right - column] ?? 0);
    }
  }
}

function cover(words: Uint32Array, index: number, colour: number, covered: number): void {
  if (covered === 0) return;
  const strength = weight(Math.round((covered * (colour >>> 24)) / 255));
  words[index] = blend(words[index] ?? 0, colour, strength);
}

const profiles = new Map<number, Uint8Array>();

/** Strength of a blurred edge, 0 to 255, for each pixel from the outside inwards, over twice the blur. */
function edgeProfile(blur: number): Uint8Array {
  const known = profiles.get(blur);
  if (known) return known;
  const profile = Uint8Array.from({ length: blur * 2 }, (_, index) => {
    const t = (index + 0.5) / (blur * 2);
    return Math.round(255 * t * t * (3 - 2 * t));
  });
  profiles.set(blur, profile);
  return profile;
}

/** Fills a soft rectangle: full strength `2 * blur` pixels inside the bounds, nothing at their edge. */
export function fillShadow(surface: Surface, clip: Clip, command: Command): void {
  const { x, y, width, height, amount: blur, colour } = command;
  const { words } = surface;
  const profile = edgeProfile(blur);
  const innerLeft = Math.min(clip.right, Math.max(clip.left, x + profile.length));
  const innerRight = Math.max(innerLeft, Math.min(clip.right, x + width - profile.length));
  for (let at = clip.top; at < clip.bottom; at++) {
    const vertical = profile[Math.min(at - y, y + height - 1 - at)] ?? 255;
    const strength = (vertical * (colour >>> 24)) / 255;
    const row = at * surface.width;
    for (let column = clip.left; column < clip.right; column++) {
      // Between its two edges the row has one strength.
      if (column === innerLeft) column = innerRight;
      if (column >= clip.right) break;
      const horizontal = profile[Math.min(column - x, x + width - 1 - column)] ?? 255;
      const covered = Math.round((horizontal * strength) / 255);
      words[row + column] = blend(words[row + column] as number, colour, weight(covered));
    }
    fillSpan(words, row + innerLeft, row + innerRight, faded(colour, vertical / 255));
  }
}

import type { SeenCard } from '../../test-card/read-card.ts';
import type { Pixel } from '../subject.ts';

/** Whether a finger marked a pixel, as exactly as the card knows it. */
export function isMarked({ marks, readings }: SeenCard, at: Pixel, finger = 0): boolean {
  const isHere = (mark: Pixel) => Math.abs(mark.x - at.x) < readings.grain && Math.abs(mark.y - at.y) < readings.grain;
  return marks.some((mark) => mark.finger === finger && isHere(mark));
}

/** Whether a finger marked nothing but these pixels, and all of them. */
export function marksOnly(card: SeenCard, places: readonly Pixel[], finger = 0): boolean {
  const own = card.marks.filter((mark) => mark.finger === finger);
  const isWanted = (mark: Pixel) => isMarked({ ...card, marks: places.map((at) => ({ ...at, finger })) }, mark, finger);
  return places.every((at) => isMarked(card, at, finger)) && own.every(isWanted);
}

export const words = ({ x, y }: Pixel): string => `${x},${y}`;

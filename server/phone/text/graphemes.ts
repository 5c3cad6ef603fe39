/**
 * Grapheme clusters, which people take for characters: `é` of two code points, a flag, a family. Places in a text are UTF-16
 * indices; a boundary is a place between two clusters.
 */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A longer cluster is looked for in a longer piece of the text. */
const PIECE = 32;

/** Ranges of UTF-16 units that never join one another: letters, signs and ideographs without marks and controls. */
const PLAIN: readonly (readonly [from: number, to: number])[] = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x55f],
  [0x1e00, 0x1fff],
  [0x2010, 0x2027],
  [0x2030, 0x205e],
  [0x20a0, 0x20cf],
  [0x2100, 0x2bff],
  [0x3001, 0x3029],
  [0x3031, 0x3096],
  [0x309b, 0x9fff],
  [0xff01, 0xff9d],
];

function isPlain(unit: number): boolean {
  if (unit < 0x7f) return unit >= 0x20;
  return PLAIN.some(([from, to]) => unit >= from && unit <= to);
}

/** The end of the cluster that begins at the boundary `index`, which lies before the end of the text. */
export function graphemeEnd(text: string, index: number): number {
  if (isPlain(text.charCodeAt(index))) {
    if (index + 1 >= text.length || isPlain(text.charCodeAt(index + 1))) return index + 1;
  }
  for (let length = PIECE; ; length *= 2) {
    const piece = text.slice(index, index + length);
    const [first] = segmenter.segment(piece);
    const end = index + (first?.segment.length ?? 1);
    // The cluster may go on behind the piece.
    if (end < index + piece.length || index + piece.length >= text.length) return end;
  }
}

/** The nearest boundary at or before `index`. */
export function graphemeAt(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  let start = index;
  // Whatever stands between two plain units is decided from there on.
  while (start > 0 && !(isPlain(text.charCodeAt(start)) && isPlain(text.charCodeAt(start - 1)))) start--;
  for (let at = start; ; ) {
    const end = graphemeEnd(text, at);
    if (end > index) return at;
    at = end;
  }
}

/** The boundary before `index`, which is one itself. */
export const graphemeBefore = (text: string, index: number): number => graphemeAt(text, index - 1);

/** The boundary after `index`, which is one itself. */
export const graphemeAfter = (text: string, index: number): number =>
  index < text.length ? graphemeEnd(text, index) : text.length;

export function graphemeCount(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = graphemeEnd(text, at)) count++;
  return count;
}

import type { Picture, Rect } from '../../device/driver.ts';
import { isOtherScreen, type Sight } from './sight.ts';

/** Edges are smoothed over the pixels beside them. */
const EDGE_PIXELS = 2;

/** All of a picture. */
export class PictureCopy implements Sight {
  readonly version: number;
  inputSeq: number;
  readonly width: number;
  readonly height: number;
  readonly orientation: Picture['orientation'];
  readonly display: string | undefined;
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #words: Uint32Array;

  /** @param spare whose memory is used again; it is worth nothing afterwards */
  constructor({ pixels, width, height, orientation, display, version, inputSeq }: Picture, spare?: PictureCopy) {
    this.version = version;
    this.inputSeq = inputSeq;
    this.width = width;
    this.height = height;
    this.orientation = orientation;
    this.display = display;
    const bytes = spare ? spare.#bytes : undefined;
    this.#bytes = bytes?.length === pixels.length ? bytes : Buffer.allocUnsafeSlow(pixels.length);
    this.#bytes.set(pixels);
    this.#words = new Uint32Array(this.#bytes.buffer);
  }

  seenAgain(inputSeq: number): void {
    this.inputSeq = inputSeq;
  }

  differing(now: Sight, without: readonly Rect[] = []): Rect | undefined {
    if (now.version === this.version) return undefined;
    const { width, height } = now;
    // The pictures of one device come in one way.
    if (isOtherScreen(this, now) || !(now instanceof PictureCopy)) return { x: 0, y: 0, width, height };
    const box = { left: width, top: height, right: 0, bottom: 0 };
    for (const { top, bottom, spans } of bandsOf(width, height, without)) {
      for (let y = top; y < bottom; y++) {
        for (const [from, to] of spans) this.#compareRow(now, y * width, y, from, to, box);
      }
    }
    const { left, top, right, bottom } = box;
    return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : undefined;
  }

  #compareRow(now: PictureCopy, row: number, y: number, from: number, to: number, box: Box): void {
    const [start, end] = [(row + from) * 4, (row + to) * 4];
    if (this.#bytes.compare(now.#bytes, start, end, start, end) === 0) return;
    const [a, b] = [this.#words, now.#words];
    let first = from;
    while (a[row + first] === b[row + first]) first++;
    let last = to - 1;
    while (a[row + last] === b[row + last]) last--;
    box.left = Math.min(box.left, first);
    box.right = Math.max(box.right, last + 1);
    box.top = Math.min(box.top, y);
    box.bottom = y + 1;
  }
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

/** What is left of a picture without some areas: bands of rows, and what of each row counts. */
function bandsOf(width: number, height: number, without: readonly Rect[]): readonly Band[] {
  const areas = without.map((area) => ({
    left: Math.max(0, Math.floor(area.x) - EDGE_PIXELS),
    top: Math.max(0, Math.floor(area.y) - EDGE_PIXELS),
    right: Math.min(width, Math.ceil(area.x + area.width) + EDGE_PIXELS),
    bottom: Math.min(height, Math.ceil(area.y + area.height) + EDGE_PIXELS),
  }));
  const edges = [...new Set([0, height, ...areas.flatMap(({ top, bottom }) => [top, bottom])])]
    .filter((edge) => edge >= 0 && edge <= height)
    .sort((a, b) => a - b);
  return edges.slice(1).map((bottom, index) => {
    const top = edges[index] as number;
    const beside = areas.filter((area) => area.top < bottom && area.bottom > top).sort((a, b) => a.left - b.left);
    const spans: (readonly [number, number])[] = [];
    let from = 0;
    for (const { left, right } of beside) {
      if (left > from) spans.push([from, left]);
      from = Math.max(from, right);
    }
    if (from < width) spans.push([from, width]);
    return { top, bottom, spans };
  });
}

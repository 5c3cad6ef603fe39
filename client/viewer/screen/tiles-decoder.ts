import { readTiles, type ScreenHeader, type TileHead } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';

/** JPEGs of what changed (protocol/README.md, section 10.1). Those of one packet are decoded side by side, the packets in turn. */
export class TilesDecoder implements Decoder {
  readonly name = 'tiles';
  readonly #events: DecoderEvents;
  #waiting = 0;
  /** Settles when the packets before have been shown. */
  #shown: Promise<void> = Promise.resolve();
  /** Rises with each reset: a picture that was asked for before is not shown any more. */
  #generation = 0;

  constructor(events: DecoderEvents) {
    this.#events = events;
  }

  get waiting(): number {
    return this.#waiting;
  }

  decode(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>): void {
    const tiles = readTiles(payload);
    if (!tiles) return this.#events.onFault(new Error('a tile is longer than its packet'));
    const generation = this.#generation;
    this.#waiting++;
    const bitmaps = Promise.all(tiles.map(({ image }) => createImageBitmap(new Blob([image], { type: 'image/jpeg' }))));
    // A failure is told in its turn, as pictures are.
    bitmaps.catch(() => undefined);
    this.#shown = this.#shown.then(async () => {
      try {
        this.#show(header, tiles, await bitmaps, generation);
      } catch (error) {
        if (generation !== this.#generation) return;
        // What waits was made for a picture that is not there.
        this.reset();
        this.#events.onFault(error);
      } finally {
        if (generation === this.#generation) this.#waiting--;
      }
    });
  }

  reset(): void {
    this.#generation++;
    this.#waiting = 0;
  }

  close(): void {
    this.reset();
  }

  #show(header: ScreenHeader, tiles: readonly TileHead[], bitmaps: readonly ImageBitmap[], generation: number): void {
    const close = () => {
      for (const bitmap of bitmaps) bitmap.close();
    };
    if (generation !== this.#generation) return close();
    const draw = (context: CanvasRenderingContext2D) => {
      for (const [index, { x, y, width, height, left, top }] of tiles.entries()) {
        context.drawImage(bitmaps[index] as ImageBitmap, left, top, width, height, x, y, width, height);
      }
    };
    this.#events.onPicture({ header, draw, close });
  }
}

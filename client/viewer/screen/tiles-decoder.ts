import { readTiles, type ScreenHeader, type TileHead } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';

type DecodedTile = ImageBitmap | VideoFrame;

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
    const decoding = decodeAll(tiles.map(({ image }) => image));
    // A failure is told in its turn, as pictures are.
    decoding.catch(() => undefined);
    this.#shown = this.#shown.then(async () => {
      try {
        this.#show(header, tiles, await decoding, generation);
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

  #show(header: ScreenHeader, tiles: readonly TileHead[], decoded: readonly DecodedTile[], generation: number): void {
    const close = () => closeAll(decoded);
    if (generation !== this.#generation) return close();
    const draw = (context: CanvasRenderingContext2D) => {
      for (const [index, { x, y, width, height }] of tiles.entries()) {
        context.drawImage(decoded[index] as DecodedTile, x, y, width, height);
      }
    };
    this.#events.onPicture({ header, draw, close });
  }
}

/** Decodes all or none: where one fails, the memory of the others is let go of. */
async function decodeAll(images: readonly Uint8Array<ArrayBuffer>[]): Promise<DecodedTile[]> {
  const outcomes = await Promise.allSettled(images.map(decodeJpeg));
  const decoded = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (!failure) return decoded;
  closeAll(decoded);
  throw failure.reason;
}

/**
 * By the decoder of WebCodecs: nine small tiles take 1 to 2 ms in Chromium, while `createImageBitmap` takes 6 to 7, most of it to wait. It
 * exists in secure contexts only.
 */
async function decodeJpeg(image: Uint8Array<ArrayBuffer>): Promise<DecodedTile> {
  const type = 'image/jpeg';
  if (typeof ImageDecoder === 'undefined') return createImageBitmap(new Blob([image], { type }));
  const decoder = new ImageDecoder({ type, data: image });
  try {
    return (await decoder.decode()).image;
  } finally {
    decoder.close();
  }
}

function closeAll(decoded: readonly DecodedTile[]): void {
  for (const each of decoded) each.close();
}

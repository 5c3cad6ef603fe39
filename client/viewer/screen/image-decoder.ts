import type { ScreenHeader } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';

interface Unit {
  readonly header: ScreenHeader;
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** JPEG and PNG: each packet is a picture of its own, so that of those that wait only the newest is decoded. */
export class ImageDecoder implements Decoder {
  readonly name = 'image';
  readonly #events: DecoderEvents;
  #busy = false;
  #next: Unit | undefined;
  /** Rises with each reset: a picture that was asked for before is not shown any more. */
  #generation = 0;

  constructor(events: DecoderEvents) {
    this.#events = events;
  }

  get waiting(): number {
    return this.#busy ? 1 : 0;
  }

  decode(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>): void {
    this.#next = { header, payload };
    if (!this.#busy) void this.#work();
  }

  reset(): void {
    this.#generation += 1;
    this.#next = undefined;
  }

  close(): void {
    this.reset();
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#next) {
      const { header, payload } = this.#next;
      this.#next = undefined;
      await this.#show(header, payload, this.#generation);
    }
    this.#busy = false;
  }

  async #show(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>, generation: number): Promise<void> {
    try {
      const bitmap = await createImageBitmap(new Blob([payload], { type: `image/${header.encoding}` }));
      if (generation !== this.#generation) bitmap.close();
      else {
        const { width, height } = header;
        const draw = (context: CanvasRenderingContext2D) => context.drawImage(bitmap, 0, 0, width, height);
        this.#events.onPicture({ header, draw, close: () => bitmap.close() });
      }
    } catch (error) {
      if (generation === this.#generation) this.#events.onFault(error);
    }
  }
}

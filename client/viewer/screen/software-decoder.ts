import type { ScreenHeader } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';
import type { DecodeAnswer, DecodeOrder } from './software-worker.ts';

/** Whether this page can decode H.264 by itself: where WebCodecs is missing, as in pages of plain HTTP. */
export function softwareDecodes(codec: string): boolean {
  // Profiles 66 (0x42) are what the decoder knows: baseline, without B-frames and CABAC.
  return typeof WebAssembly === 'object' && typeof Worker === 'function' && /^avc1\.42/i.test(codec);
}

/** Baseline H.264 by WebAssembly, in a worker made of this same bundle. */
export class SoftwareDecoder implements Decoder {
  readonly name = 'software';
  readonly #events: DecoderEvents;
  readonly #worker: Worker;
  /** Packets inside the worker, oldest first; those thrown away by `reset` are `undefined`. */
  #headers: (ScreenHeader | undefined)[] = [];

  constructor(events: DecoderEvents) {
    this.#events = events;
    this.#worker = new Worker(import.meta.url, { type: 'module' });
    this.#worker.onmessage = ({ data }: MessageEvent<DecodeAnswer>) => this.#answered(data);
    this.#worker.onerror = (event) => events.onFault(event.error ?? event.message);
  }

  get waiting(): number {
    return this.#headers.filter((header) => header !== undefined).length;
  }

  decode(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>): void {
    this.#headers.push(header);
    const unit = payload.slice().buffer;
    const order: DecodeOrder = { unit, width: header.width, height: header.height };
    this.#worker.postMessage(order, [unit]);
  }

  reset(): void {
    this.#headers = this.#headers.map(() => undefined);
  }

  close(): void {
    this.#worker.terminate();
    this.#headers = [];
  }

  #answered(answer: DecodeAnswer): void {
    const header = this.#headers.shift();
    if (!header) return;
    if (answer.kind === 'picture') {
      const source = new ImageData(new Uint8ClampedArray(answer.pixels), answer.width, answer.height);
      const draw = (context: CanvasRenderingContext2D) => context.putImageData(source, 0, 0);
      this.#events.onPicture({ header, draw, close: () => undefined });
    } else {
      this.reset();
      this.#events.onFault(new Error('a packet gave no picture'));
    }
  }
}

import type { ScreenHeader } from '../protocol.ts';
import type { Decoder, DecoderEvents } from './decoder.ts';

const configOf = (codec: string): VideoDecoderConfig => ({
  codec,
  optimizeForLatency: true,
  // A hardware decoder may hold pictures back; for a phone's screen, software is soon enough everywhere.
  hardwareAcceleration: 'prefer-software',
});

/** Whether the browser decodes `codec`; `VideoDecoder` exists in secure contexts only. */
export async function webCodecsDecodes(codec: string): Promise<boolean> {
  if (typeof VideoDecoder === 'undefined') return false;
  try {
    const { supported } = await VideoDecoder.isConfigSupported(configOf(codec));
    return supported === true;
  } catch {
    return false;
  }
}

/** H.264 by WebCodecs: Annex B without a description, since every key packet brings its SPS and PPS. */
export class WebCodecsDecoder implements Decoder {
  readonly name = 'webcodecs';
  readonly #events: DecoderEvents;
  readonly #codec: string;
  #decoder: VideoDecoder;
  /** Headers of packets that are inside the decoder, by the time stamp that stands for them there. */
  readonly #headers = new Map<number, ScreenHeader>();
  #timestamp = 0;

  constructor(codec: string, events: DecoderEvents) {
    this.#codec = codec;
    this.#events = events;
    this.#decoder = this.#make();
  }

  get waiting(): number {
    return this.#headers.size;
  }

  decode(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>): void {
    this.#timestamp += 1;
    const timestamp = this.#timestamp;
    this.#headers.set(timestamp, header);
    try {
      this.#decoder.decode(new EncodedVideoChunk({ type: header.key ? 'key' : 'delta', timestamp, data: payload }));
    } catch (error) {
      this.#fail(error);
    }
  }

  reset(): void {
    this.#headers.clear();
    if (this.#decoder.state === 'closed') {
      this.#decoder = this.#make();
    } else {
      this.#decoder.reset();
      this.#decoder.configure(configOf(this.#codec));
    }
  }

  close(): void {
    this.#headers.clear();
    if (this.#decoder.state !== 'closed') this.#decoder.close();
  }

  #make(): VideoDecoder {
    const decoder = new VideoDecoder({
      output: (frame) => this.#output(frame),
      error: (error) => this.#fail(error),
    });
    decoder.configure(configOf(this.#codec));
    return decoder;
  }

  #output(frame: VideoFrame): void {
    const header = this.#headers.get(frame.timestamp);
    this.#headers.delete(frame.timestamp);
    if (!header) return frame.close();
    const draw = (context: CanvasRenderingContext2D) => context.drawImage(frame, 0, 0, header.width, header.height);
    this.#events.onPicture({ header, draw, close: () => frame.close() });
  }

  #fail(error: unknown): void {
    this.reset();
    this.#events.onFault(error);
  }
}

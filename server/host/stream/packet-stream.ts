import type { EncodedScreen } from '../../device/driver.ts';
import type { StreamPicture } from '../../link/messages.ts';
import type { CaptureTime, EncoderSink, StreamSource } from './stream-source.ts';

/** Minimum interval of requests for a key packet; several viewers share one. */
const KEY_INTERVAL_MS = 250;

/** A stream of the packets of a device that encodes its own screen, without re-encoding. */
export class PacketStream implements StreamSource {
  readonly wantsAtMs = undefined;
  readonly #screen: EncodedScreen;
  readonly #now: () => CaptureTime;
  readonly #stop: () => void;
  #packets = 0;
  #keyAskedMs = Number.NEGATIVE_INFINITY;
  #codec: string | undefined;
  #closed = false;

  constructor(screen: EncodedScreen, sink: Pick<EncoderSink, 'picture' | 'failed'>, now: () => CaptureTime) {
    this.#screen = screen;
    this.#now = now;
    this.#stop = screen.start({
      packet: (packet) => {
        if (this.#closed) return;
        const time = now();
        this.#codec = packet.codec ?? this.#codec;
        const picture: StreamPicture = {
          ...packet,
          ...(this.#codec === undefined ? {} : { codec: this.#codec }),
          unchanged: false,
          encoding: 'h264',
          capturedAtUs: time.atUs,
          encodings: ++this.#packets,
        };
        sink.picture(picture, time);
      },
      ended: (reason) => {
        if (!this.#closed) sink.failed(new Error(reason));
      },
    });
  }

  /** The device reports changes by its packets. */
  markChanged(): void {}

  requestKey(): void {
    const { monotonicMs } = this.#now();
    if (monotonicMs < this.#keyAskedMs + KEY_INTERVAL_MS) return;
    this.#keyAskedMs = monotonicMs;
    this.#screen.requestKey();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stop();
  }
}

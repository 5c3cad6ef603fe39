import type { EncodedScreen } from '../../device/driver.ts';
import type { StreamPicture } from '../../link/messages.ts';
import type { CaptureTime, EncoderSink, StreamSource } from './stream-source.ts';

/** A device whose packets are asked for a key packet at most this often: several viewers are served by one. */
const KEY_INTERVAL_MS = 250;

/** The packets of a device that encodes its screen itself, as a stream among the others. Nothing is encoded twice. */
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

  /** The device tells of changes by its packets. */
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

import type { ErrorCode } from '../../../protocol/errors.ts';
import type { ScreenHeader } from '../../../protocol/screen-packet.ts';
import { RunCloudError } from '../error.ts';
import { Buffered } from './buffered.ts';
import type { ScreenPacket } from './messages.ts';

type Message = Readonly<Record<string, unknown>>;

/** What a stream shows from now on. */
export interface ScreenStarted {
  readonly streamId: number;
  readonly codec?: string;
  readonly display?: string;
}

/** Many more packets than the service sends without an acknowledgement. */
const PACKETS_MAX = 1_024;

/** One consumer's stream; after a lost connection it continues with another `streamId`. */
class Stream {
  readonly start: Message;
  readonly packets: Buffered<ScreenPacket>;
  streamId: number | undefined;
  codec: string | undefined;
  display: string | undefined;

  constructor(start: Message, onReturn: (stream: Stream) => void) {
    this.start = start;
    this.packets = new Buffered(PACKETS_MAX, () => onReturn(this));
  }
}

/**
 * The screen streams of one socket. The service answers `screen.start` without a correlation id, so streams are started one
 * at a time. A packet is acknowledged when its consumer requests the next one: a slow consumer gets fewer pictures.
 */
export class Screens {
  readonly #send: (message: Message) => boolean;
  /** Streams that have not started; the first one has been requested. */
  #waiting: Stream[] = [];
  readonly #running = new Map<number, Stream>();
  #connected = false;

  constructor(send: (message: Message) => boolean) {
    this.#send = send;
  }

  /** @param start a checked `screen.start` */
  async *watch(start: Message, signal: AbortSignal | undefined): AsyncGenerator<ScreenPacket, void, undefined> {
    signal?.throwIfAborted();
    const stream = new Stream(start, (ended) => this.#ended(ended));
    const abort = (): void => stream.packets.end({ error: signal?.reason });
    signal?.addEventListener('abort', abort);
    this.#waiting.push(stream);
    if (this.#waiting.length === 1) this.#askNext();
    try {
      for await (const packet of stream.packets) {
        yield packet;
        // The consumer is done with the packet. Its stream id is not valid after a lost connection.
        const { streamId, seq } = packet;
        if (streamId === stream.streamId) this.#send({ type: 'screen.ack', streamId, seq });
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      stream.packets.end();
    }
  }

  connected(): void {
    this.#connected = true;
    this.#waiting = this.#waiting.filter(({ packets }) => !packets.ended);
    this.#askNext();
  }

  /** Restarts the running streams after a reconnect. */
  disconnected(): void {
    this.#connected = false;
    const running = [...this.#running.values()];
    for (const stream of running) stream.streamId = undefined;
    this.#running.clear();
    this.#waiting = [...running, ...this.#waiting];
  }

  end(error: unknown): void {
    for (const stream of [...this.#running.values(), ...this.#waiting]) stream.packets.end({ error });
  }

  started({ streamId, codec, display }: ScreenStarted): void {
    // `screen.started` is repeated when the codec, the size or the display of a running stream changes.
    const running = this.#running.get(streamId);
    const stream = running ?? this.#waiting.shift();
    if (!stream) return;
    stream.codec = codec;
    stream.display = display;
    if (running) return;
    if (stream.packets.ended) {
      this.#send({ type: 'screen.stop', streamId });
    } else {
      stream.streamId = streamId;
      this.#running.set(streamId, stream);
    }
    this.#askNext();
  }

  stopped(streamId: number): void {
    this.#running.get(streamId)?.packets.end();
  }

  packet(header: ScreenHeader, payload: Uint8Array): void {
    const stream = this.#running.get(header.streamId);
    stream?.packets.push({ ...header, codec: stream.codec, display: stream.display, payload });
  }

  /** An `error` without a request id refuses the pending start. */
  refused(code: ErrorCode, message: string): void {
    const retryable = code === 'rate_limited';
    const error = new RunCloudError({ operation: 'screen', error: { code, message, retryable } });
    this.#waiting.shift()?.packets.end({ error });
    this.#askNext();
  }

  #askNext(): void {
    const [next] = this.#waiting;
    if (next && this.#connected) this.#send(next.start);
  }

  #ended(stream: Stream): void {
    const { streamId } = stream;
    if (streamId !== undefined) {
      this.#running.delete(streamId);
      this.#send({ type: 'screen.stop', streamId });
      return;
    }
    // A requested stream keeps its place until it is answered: its answer would be mistaken for that of the next one.
    const index = this.#waiting.indexOf(stream);
    if (index > 0) this.#waiting.splice(index, 1);
  }
}

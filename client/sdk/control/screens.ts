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

/** One consumer's stream; on a new connection it continues with another `streamId`. */
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
 * The screen streams of one client. The service answers `screen.start` without a correlation id, so streams are started one
 * at a time. A packet is acknowledged when its consumer requests the next one: a slow consumer gets fewer pictures.
 */
export class Screens {
  readonly #send: (message: Message) => boolean;
  /** Streams that have not started; the first one has been requested. */
  #waiting: Stream[] = [];
  readonly #running = new Map<number, Stream>();
  /** Streams that the service was told to stop on this socket; packets of theirs may still come. */
  readonly #stopped = new Set<number>();
  /** Streams that it is still to be told to stop. */
  readonly #toStop = new Set<number>();
  /** The place of the start that was requested last among the messages of the connection. */
  #askedAt = 0;
  #connected = false;
  readonly #sent: () => number;

  /**
   * @param send sends a message now; `false` if not connected
   * @param sent how many messages were sent over the connection
   */
  constructor(send: (message: Message) => boolean, sent: () => number) {
    this.#send = send;
    this.#sent = sent;
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

  /** @param received how many messages the service has received over a connection that was resumed; its streams go on */
  connected(received?: number): void {
    this.#connected = true;
    this.#stopped.clear();
    const toStop = [...this.#toStop];
    this.#toStop.clear();
    if (received === undefined) this.#startAnew();
    else for (const streamId of toStop) this.#stop(streamId);
    // A start that the service has received keeps its place until it is answered.
    if (received !== undefined && this.#waiting.length > 0 && this.#askedAt <= received) return;
    this.#waiting = this.#waiting.filter(({ packets }) => !packets.ended);
    this.#askNext();
  }

  disconnected(): void {
    this.#connected = false;
  }

  #startAnew(): void {
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
      this.#stop(streamId);
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
    const { streamId } = header;
    const stream = this.#running.get(streamId);
    if (stream) stream.packets.push({ ...header, codec: stream.codec, display: stream.display, payload });
    // Its consumer has left it, and the service has not heard of that.
    else if (!this.#stopped.has(streamId)) this.#stop(streamId);
  }

  #stop(streamId: number): void {
    const isSent = this.#send({ type: 'screen.stop', streamId });
    (isSent ? this.#stopped : this.#toStop).add(streamId);
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
    if (next && this.#connected && this.#send(next.start)) this.#askedAt = this.#sent();
    else this.#askedAt = Number.POSITIVE_INFINITY;
  }

  #ended(stream: Stream): void {
    const { streamId } = stream;
    if (streamId !== undefined) {
      this.#running.delete(streamId);
      this.#stop(streamId);
      return;
    }
    // A requested stream keeps its place until it is answered: its answer would be mistaken for that of the next one.
    const index = this.#waiting.indexOf(stream);
    if (index > 0) this.#waiting.splice(index, 1);
  }
}

import type { ClientMessage, ServerMessage } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { ScreenFanOut } from '../screen/screen-fan-out.ts';
import type { StreamViewer } from '../screen/stream-viewer.ts';
import type { SocketSender } from '../socket/connection.ts';
import { SocketSink } from './socket-sink.ts';

type ScreenMessage = Extract<ClientMessage, { type: `screen.${string}` }>;

export interface ScreenStreamsOptions {
  readonly screens: ScreenFanOut;
  /** The socket has the role `view`. */
  readonly guest: boolean;
  readonly outlet: Pick<SocketSender, 'send' | 'bufferedBytes'>;
  readonly send: (message: ServerMessage) => void;
  /** Called when a stream fails: the socket must be closed. */
  readonly onFailed: (error: unknown) => void;
}

/** The screen streams of one socket by stream id. */
export class ScreenStreams {
  readonly #options: ScreenStreamsOptions;
  /** Usually one, at most four: a linear search is faster than a map. */
  #viewers: readonly StreamViewer[] = [];
  #lastStreamId = 0;
  #open = true;

  constructor(options: ScreenStreamsOptions) {
    this.#options = options;
  }

  /** Bytes of screen packets that may still be buffered by the socket. */
  get unacknowledgedBytes(): number {
    let bytes = 0;
    for (const viewer of this.#viewers) bytes += viewer.unacknowledgedBytes;
    return bytes;
  }

  /** Handles a `screen.*` message; one for an ended stream is ignored. Throws `ServiceError` for a start that is refused. */
  receive(message: ScreenMessage): void {
    if (message.type === 'screen.start') return this.#start(message);
    const viewer = this.#viewerOf(message.streamId);
    if (!viewer) return;
    if (message.type === 'screen.ack') return viewer.acknowledged(message.seq);
    if (message.type === 'screen.keyframe') return viewer.requestKey();
    viewer.leave();
    this.#stopped(message.streamId, 'requested');
  }

  /** Called when the socket has sent buffered bytes. */
  drained(): void {
    for (const viewer of this.#viewers) viewer.drained();
  }

  /** Ends all streams of a closed socket. */
  close(): void {
    this.#open = false;
    for (const viewer of this.#viewers) viewer.leave();
    this.#viewers = [];
  }

  #start(request: Extract<ScreenMessage, { type: 'screen.start' }>): void {
    if (this.#viewers.length >= LIMITS.screenStreamsPerSocket) {
      const message = `This socket has ${LIMITS.screenStreamsPerSocket} screen streams.`;
      throw new ServiceError('rate_limited', message);
    }
    const { screens, guest, outlet, send, onFailed } = this.#options;
    const streamId = ++this.#lastStreamId;
    const onEnded = (reason: string) => this.#stopped(streamId, reason);
    const sink = new SocketSink({ outlet, streamId, send, onEnded, onFailed });
    const viewer = screens.watch(request, streamId, sink, guest);
    // A socket that does not read may already be closed by its first message.
    if (this.#open) this.#viewers = [...this.#viewers, viewer];
    else viewer.leave();
  }

  #viewerOf(streamId: number): StreamViewer | undefined {
    for (const viewer of this.#viewers) if (viewer.streamId === streamId) return viewer;
    return undefined;
  }

  #stopped(streamId: number, reason: string): void {
    this.#viewers = this.#viewers.filter((viewer) => viewer.streamId !== streamId);
    this.#options.send({ type: 'screen.stopped', streamId, reason });
  }
}

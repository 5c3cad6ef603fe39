import type { ClientMessage } from '@runcloud/protocol';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import type { Bearer } from '../flow/quota.ts';
import type { ScreenFanOut } from '../screen/screen-fan-out.ts';
import type { StreamViewer } from '../screen/stream-viewer.ts';
import { type SinkOwner, SocketSink, type SocketSinkOptions } from './socket-sink.ts';

type ScreenMessage = Extract<ClientMessage, { type: `screen.${string}` }>;

/** The connection of the streams. */
export interface StreamsOwner extends SinkOwner {
  /** Of the newest socket. */
  readonly bearer: Bearer;
}

/** One stream of a client. It outlives the viewer of a lost socket. */
interface Stream {
  readonly streamId: number;
  readonly request: Extract<ScreenMessage, { type: 'screen.start' }>;
  /** Absent while there is no socket. */
  viewer: StreamViewer | undefined;
  /** The `seq` of its last packet on the socket before. */
  lastSeq: number;
}

/** The screen streams of one connection by stream id. */
export class ScreenStreams {
  readonly #screens: ScreenFanOut;
  readonly #owner: StreamsOwner;
  readonly #outlet: SocketSinkOptions['outlet'];
  /** Usually one, at most four: a linear search is faster than a map. */
  #streams: readonly Stream[] = [];
  #lastStreamId = 0;
  #isPaused = false;

  constructor(screens: ScreenFanOut, owner: StreamsOwner, outlet: SocketSinkOptions['outlet']) {
    this.#screens = screens;
    this.#owner = owner;
    this.#outlet = outlet;
  }

  /** Bytes of screen packets that may still be buffered by the socket. */
  get unacknowledgedBytes(): number {
    let bytes = 0;
    for (const { viewer } of this.#streams) bytes += viewer?.unacknowledgedBytes ?? 0;
    return bytes;
  }

  /** Handles a `screen.*` message; one for an ended stream is ignored. Throws `ServiceError` for a start that is refused. */
  receive(message: ScreenMessage): void {
    if (message.type === 'screen.start') return this.#start(message);
    const stream = this.#streamOf(message.streamId);
    if (!stream) return;
    if (message.type === 'screen.ack') return stream.viewer?.acknowledged(message.seq);
    if (message.type === 'screen.keyframe') return stream.viewer?.requestKey();
    stream.viewer?.leave();
    this.#stopped(message.streamId, 'requested');
  }

  /** Called when the socket has sent buffered bytes. */
  drained(): void {
    for (const { viewer } of this.#streams) viewer?.drained();
  }

  /** The socket is gone: sends nothing until the next one. */
  pause(): void {
    this.#isPaused = true;
    for (const stream of this.#streams) {
      const { viewer } = stream;
      if (!viewer) continue;
      stream.lastSeq = viewer.lastSeq;
      stream.viewer = undefined;
      viewer.leave();
    }
  }

  /** There is a socket again: each stream starts anew with a key picture, under its own number. */
  resume(): void {
    this.#isPaused = false;
    for (const stream of this.#streams) {
      try {
        this.#watch(stream);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        this.#stopped(stream.streamId, error.code);
      }
    }
  }

  /** Ends all streams, for good. */
  close(): void {
    this.pause();
    this.#streams = [];
  }

  #start(request: Stream['request']): void {
    if (this.#streams.length >= LIMITS.screenStreamsPerSocket) {
      const message = `This socket has ${LIMITS.screenStreamsPerSocket} screen streams. Stop one of them, or open another socket.`;
      throw new ServiceError('rate_limited', message);
    }
    const streamId = ++this.#lastStreamId;
    const stream: Stream = { streamId, request, viewer: undefined, lastSeq: 0 };
    this.#streams = [...this.#streams, stream];
    try {
      if (!this.#isPaused) this.#watch(stream);
    } catch (error) {
      this.#remove(streamId);
      throw error;
    }
  }

  #watch(stream: Stream): void {
    const [owner, outlet] = [this.#owner, this.#outlet];
    const { request, streamId, lastSeq } = stream;
    const onEnded = (reason: string) => this.#stopped(streamId, reason);
    const sink = new SocketSink({ owner, outlet, streamId, onEnded });
    const viewer = this.#screens.watch(request, streamId, sink, owner.bearer, lastSeq);
    // A socket that does not read may already be closed by its first message.
    if (this.#isPaused) viewer.leave();
    else stream.viewer = viewer;
  }

  #streamOf(streamId: number): Stream | undefined {
    for (const stream of this.#streams) if (stream.streamId === streamId) return stream;
    return undefined;
  }

  #remove(streamId: number): void {
    this.#streams = this.#streams.filter((stream) => stream.streamId !== streamId);
  }

  #stopped(streamId: number, reason: string): void {
    this.#remove(streamId);
    this.#owner.send({ type: 'screen.stopped', streamId, reason });
  }
}

import type { Clock } from '../flow/clock.ts';
import type { StreamPicture } from '../link/messages.ts';
import type { ScreenFigures } from '../observe/screen-metrics.ts';
import type { Sender } from './send-scheduler.ts';
import type { SharedPacket } from './shared-packet.ts';
import { ViewerSlot } from './viewer-slot.ts';

/** The sink of a viewer's packets: a socket. */
export interface PacketSink {
  /** Bytes buffered in this process until the client reads. */
  readonly bufferedBytes: number;
  /**
   * The encoding, size and display of the packets that follow. Called before the first packet, and before the first one that
   * differs.
   */
  started(picture: StreamPicture): void;
  /** Sends a packet, whose bytes are valid only until this returns; `false` if the socket is closed. */
  packet(bytes: Uint8Array): boolean;
  /** The stream has ended by itself. Called last. */
  ended(reason: string): void;
  failed(error: unknown): void;
}

/** The stream, as its viewers use it. */
export interface WatchedStream {
  /** Requests a key picture; `first`: the viewer has had no picture yet. */
  requestKey(viewer: StreamViewer, first: boolean): void;
  wakeLater(viewer: StreamViewer, delayMs: number): void;
  /** Schedules the viewer for sending. */
  hurry(viewer: StreamViewer): void;
  /** A key picture of the current screen, if there is one. */
  readonly currentKey: SharedPacket | undefined;
  leave(viewer: StreamViewer): void;
}

/** One viewer of a stream: its slot and its socket. */
export class StreamViewer implements Sender {
  /** The stream id on the viewer's socket. */
  readonly streamId: number;
  readonly #stream: WatchedStream;
  readonly #sink: PacketSink;
  readonly #clock: Clock;
  readonly #figures: ScreenFigures;
  readonly #slot: ViewerSlot<SharedPacket>;
  queued = false;
  #announced: StreamPicture | undefined;
  #watching = true;

  constructor(
    stream: WatchedStream,
    streamId: number,
    sink: PacketSink,
    { clock, figures }: { readonly clock: Clock; readonly figures: ScreenFigures },
    beforeSeq = 0,
  ) {
    this.#slot = new ViewerSlot(beforeSeq);
    this.#stream = stream;
    this.streamId = streamId;
    this.#sink = sink;
    this.#clock = clock;
    this.#figures = figures;
    figures.viewers++;
  }

  /** Bytes of packets that the client has not acknowledged, which may still wait on the socket. */
  get unacknowledgedBytes(): number {
    return this.#slot.unacknowledgedBytes;
  }

  /** The `seq` of the last packet that was sent. */
  get lastSeq(): number {
    return this.#slot.numbers.seq - 1;
  }

  /** Bytes per millisecond that are not too many for its link; `undefined` when it keeps up. */
  rateBound(nowMs: number): number | undefined {
    return this.#slot.rateBound(nowMs);
  }

  offer(packet: SharedPacket): void {
    this.#slot.offer(packet);
  }

  acknowledged(seq: number): void {
    this.#slot.acknowledged(seq, this.#clock.monotonicMs());
    if (!this.#slot.idle) this.#stream.hurry(this);
  }

  /** Called when the socket has sent some of its buffered bytes. */
  drained(): void {
    this.#stream.hurry(this);
  }

  /** The client cannot decode the stream. */
  requestKey(): void {
    const { currentKey } = this.#stream;
    if (currentKey) this.#slot.offer(currentKey);
    else this.#slot.requestKey();
    this.#stream.hurry(this);
  }

  /** Unsubscribes the viewer. */
  leave(): void {
    if (!this.#watching) return;
    this.#end();
    this.#stream.leave(this);
  }

  ended(reason: string): void {
    if (!this.#watching) return;
    this.#end();
    this.#sink.ended(reason);
  }

  failed(error: unknown): void {
    this.#sink.failed(error);
  }

  serve(): void {
    while (this.#watching && !this.#slot.idle) {
      const nowMs = this.#clock.monotonicMs();
      const action = this.#slot.nextAction(nowMs, this.#sink.bufferedBytes);
      if (action.kind === 'send') {
        this.#send(action.picture, nowMs);
      } else {
        if (action.kind === 'needsKey') this.#stream.requestKey(this, this.#slot.fresh);
        else if (Number.isFinite(action.ms)) this.#stream.wakeLater(this, action.ms);
        return;
      }
    }
  }

  #send(packet: SharedPacket, nowMs: number): void {
    const { picture } = packet;
    if (!this.#announced || !sameFormat(this.#announced, picture)) {
      this.#announced = picture;
      this.#sink.started(picture);
      // This message may have closed a socket that does not read.
      if (!this.#watching) return;
    }
    const { numbers } = this.#slot;
    const bytes = packet.addressedTo(this.streamId, numbers, nowMs);
    if (!this.#sink.packet(bytes)) return this.leave();
    this.#slot.sent(packet.byteLength, nowMs);
    this.#figures.packets++;
    this.#figures.bytes += packet.byteLength;
    this.#figures.leftOut += numbers.leftOut;
  }

  #end(): void {
    this.#watching = false;
    this.#figures.viewers--;
    this.#figures.leftOut += this.#slot.numbers.leftOut;
  }
}

const sameFormat = (one: StreamPicture, other: StreamPicture): boolean =>
  one.encoding === other.encoding &&
  one.codec === other.codec &&
  one.display === other.display &&
  one.width === other.width &&
  one.height === other.height;

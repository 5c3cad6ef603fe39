import type { Clock } from '../flow/clock.ts';
import type { StreamPicture } from '../link/messages.ts';
import type { ScreenFigures } from '../observe/screen-metrics.ts';
import type { Sender } from './send-scheduler.ts';
import type { SharedPacket } from './shared-packet.ts';
import { ViewerSlot } from './viewer-slot.ts';

/** The socket that a viewer watches on. */
export interface PacketSink {
  /** Bytes that wait in this process for the client to read. */
  readonly bufferedBytes: number;
  /**
   * The encoding and size of the packets that follow. Called before the first packet, and before the first one that
   * differs.
   */
  started(picture: StreamPicture): void;
  /** Sends a packet, whose bytes are valid only until this returns; `false` when it cannot be sent any more. */
  packet(bytes: Uint8Array): boolean;
  /** The stream has ended by itself; the last that is heard of it. */
  ended(reason: string): void;
  failed(error: unknown): void;
}

/** The stream as its viewer uses it. */
export interface WatchedStream {
  /** Wants a key picture; `first` when the viewer has not seen any picture yet. */
  requestKey(viewer: StreamViewer, first: boolean): void;
  wakeLater(viewer: StreamViewer, delayMs: number): void;
  /** Gives the viewer a turn now. */
  hurry(viewer: StreamViewer): void;
  /** A picture that is as the screen is now and can be decoded by itself, where there is one. */
  readonly currentKey: SharedPacket | undefined;
  leave(viewer: StreamViewer): void;
}

/** One viewer of a stream: its slot, and the socket at the end of it. */
export class StreamViewer implements Sender {
  /** The number that its socket gave the stream. */
  readonly streamId: number;
  readonly #stream: WatchedStream;
  readonly #sink: PacketSink;
  readonly #clock: Clock;
  readonly #figures: ScreenFigures;
  readonly #slot = new ViewerSlot<SharedPacket>();
  queued = false;
  #announced: StreamPicture | undefined;
  #watching = true;

  constructor(
    stream: WatchedStream,
    streamId: number,
    sink: PacketSink,
    { clock, figures }: { readonly clock: Clock; readonly figures: ScreenFigures },
  ) {
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

  offer(packet: SharedPacket): void {
    this.#slot.offer(packet);
  }

  acknowledged(seq: number): void {
    this.#slot.acknowledged(seq, this.#clock.monotonicMs());
    if (!this.#slot.idle) this.#stream.hurry(this);
  }

  /** Bytes that its socket held have left, at least in part. */
  drained(): void {
    this.#stream.hurry(this);
  }

  /** The client cannot decode what it is sent. */
  requestKey(): void {
    const { currentKey } = this.#stream;
    if (currentKey) this.#slot.offer(currentKey);
    else this.#slot.requestKey();
    this.#stream.hurry(this);
  }

  /** Watches no more. */
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
      // A socket that does not read may have been closed by this very message.
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
  one.width === other.width &&
  one.height === other.height;

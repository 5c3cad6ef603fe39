import { availableParallelism } from 'node:os';
import type { Device, DeviceScreen, EncodedScreen, Picture } from '../../device/driver.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import { TimeSlice } from '../../flow/time-slice.ts';
import type { NumberedPictureSink } from '../../link/host-side.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import type { CaptureGate } from '../capture-gate.ts';
import { type CreateEncoder, createEncoder } from './create-encoder.ts';
import { EncodedStream, type EndCause, type LocalPictureSink, type Subscription } from './encoded-stream.ts';
import { PacketStream } from './packet-stream.ts';
import type { PictureEncoder } from './picture-encoder.ts';
import { PictureStream } from './picture-stream.ts';
import type { CaptureTime, EncoderSink } from './stream-source.ts';
import { WallMicroseconds } from './wall-microseconds.ts';

/** Delay and maximum number of consecutive retries of a failed capture. */
const RETRY_MS = 250;
const RETRIES_MAX = 8;

/**
 * With more streams of one screen than these, each is encoded for its share of `SHARED_TIME`, a part of one processor and at
 * most a quarter of them all: guests that watch a screen in twelve ways take neither the processors from those who tap nor the rate from the owner's stream.
 * Recordings have no bound.
 */
const UNBOUNDED_STREAMS = 2;
const SHARED_TIME = Math.min(0.75, availableParallelism() / 4);

export interface PipelineOptions {
  readonly clock?: Clock;
  readonly createEncoder?: CreateEncoder;
}

/** The stream that a local sink requests. */
export interface SubscriptionRequest {
  /** Whether a running stream of this profile is acceptable. */
  serves(profile: ScreenProfile): boolean;
  /** The profile of a new stream if none is acceptable. */
  readonly profile: ScreenProfile;
  /** Creates an encoder only for this sink. Without it, sinks and viewers with the same profile share the stream. */
  readonly createEncoder?: CreateEncoder;
}

/**
 * The streams of one device's screen. A change is captured in the next turn of the event loop, once for all due streams, and
 * encoded once for each. A still screen needs no work and no timer.
 */
export class ScreenPipeline {
  readonly #gate: CaptureGate;
  readonly #sink: NumberedPictureSink;
  readonly #clock: Clock;
  readonly #wall: WallMicroseconds;
  readonly #createEncoder: CreateEncoder;
  /** The device's own encoder, if it has one. */
  readonly #encoded: EncodedScreen | undefined;
  readonly #streams = new Set<EncodedStream>();
  #immediate: NodeJS.Immediate | undefined;
  #cancelTimer: () => void = () => undefined;
  #capturing = false;
  #failures = 0;
  #ended = false;

  constructor(
    device: Pick<DeviceScreen, 'onChange'> & Pick<Device, 'encoded'>,
    gate: CaptureGate,
    sink: NumberedPictureSink,
    options: PipelineOptions = {},
  ) {
    this.#gate = gate;
    this.#encoded = device.encoded;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#wall = new WallMicroseconds(this.#clock);
    this.#createEncoder = options.createEncoder ?? createEncoder;
    device.onChange(() => {
      for (const { source } of this.#streams) source?.markChanged();
      this.#wake();
    });
  }

  /** Without a stream, which it also is for good after captures have failed again and again. */
  get isIdle(): boolean {
    return this.#streams.size === 0;
  }

  /** Whether streams may be packets of the device's own encoder. */
  get isEncodedByDevice(): boolean {
    return this.#encoded !== undefined;
  }

  /** Starts a stream; its first picture is a key picture and comes at once. A stream that cannot start ends. */
  async watch(number: number, profile: ScreenProfile): Promise<void> {
    if (this.#numbered(number)) throw new Error(`stream ${number} is open`);
    const stream = [...this.#streams].find(
      (other) => other.shared && other.gatewayNumber === undefined && sameProfile(other.profile, profile),
    );
    if (!stream) return this.#begin(new EncodedStream(profile, true), this.#createEncoder, number);
    stream.gatewayNumber = number;
    this.#wake();
  }

  unwatch(number: number): void {
    const stream = this.#numbered(number);
    if (!stream) return;
    stream.source?.boundRate?.(undefined);
    stream.gatewayNumber = undefined;
    this.#closeUnused(stream);
  }

  /** Bounds the bytes of a stream per millisecond, as long as it has no local sinks; ignored for an ended stream, and for a device's own packets. */
  boundRate(number: number, bytesPerMs: number | undefined): void {
    this.#numbered(number)?.source?.boundRate?.(bytesPerMs);
    this.#wake();
  }

  /** Requests a key picture, which comes soon; ignored for an ended stream. */
  requestKey(number: number): void {
    this.#numbered(number)?.source?.requestKey();
    this.#wake();
  }

  /** Subscribes to a stream on this host, if acceptable to a running one. A stream that cannot start reports its end. */
  subscribe(request: SubscriptionRequest, sink: LocalPictureSink): Subscription {
    const running = request.createEncoder
      ? undefined
      : [...this.#streams].find((other) => other.shared && request.serves(other.profile));
    const stream = running ?? new EncodedStream(request.profile, !request.createEncoder);
    stream.addSubscriber(sink);
    this.#shareTime();
    if (running) this.#wake();
    else if (this.#ended) setImmediate(() => stream.end('screen', 'the screen is closed'));
    else void this.#begin(stream, request.createEncoder ?? this.#createEncoder);
    return {
      profile: stream.profile,
      requestKey: () => {
        stream.source?.requestKey();
        this.#wake();
      },
      close: () => {
        stream.removeSubscriber(sink);
        this.#closeUnused(stream);
      },
    };
  }

  /** Stops capturing without ending the streams. */
  quiesce(): void {
    this.#ended = true;
    clearImmediate(this.#immediate);
    this.#cancelTimer();
  }

  /** Ends all streams for good. */
  close(reason: string): void {
    this.quiesce();
    for (const stream of [...this.#streams]) this.#end(stream, 'screen', reason);
  }

  #numbered(number: number): EncodedStream | undefined {
    for (const stream of this.#streams) if (stream.gatewayNumber === number) return stream;
    return undefined;
  }

  async #begin(stream: EncodedStream, create: CreateEncoder, number?: number): Promise<void> {
    this.#streams.add(stream);
    stream.gatewayNumber = number;
    if (!this.#passThrough(stream)) await this.#encode(stream, create);
  }

  async #encode(stream: EncodedStream, create: CreateEncoder): Promise<void> {
    const { profile } = stream;
    let encoder: PictureEncoder;
    try {
      encoder = await create(profile);
    } catch (error) {
      return this.#end(stream, 'encoder', `the host has no ${profile.encoding} encoder: ${sentence(error)}`);
    }
    // The stream ended while its encoder was created.
    if (!this.#streams.has(stream)) return encoder.close();
    stream.source = new PictureStream(profile, encoder, this.#encoderSink(stream), this.#clock);
    this.#shareTime();
    this.#wake();
  }

  #encoderSink(stream: EncodedStream): EncoderSink {
    const toGateway = this.#sink.picture.bind(this.#sink);
    const streams = this.#streams;
    return {
      picture: (picture, time) => stream.deliver(picture, time, toGateway),
      failed: (error) =>
        this.#end(stream, 'encoder', `the ${stream.profile.encoding} encoder failed: ${sentence(error)}`),
      get keepsSize() {
        return stream.hasLocalSubscribers;
      },
      get isAlone() {
        return streams.size === 1;
      },
      ready: () => this.#wake(),
    };
  }

  /**
   * Uses the device's own packets if possible: they have one size and one quality, so a stream of another size is encoded here.
   */
  #passThrough(stream: EncodedStream): boolean {
    const { encoding: kind, maxLongEdge } = stream.profile;
    const inUse = [...this.#streams].some(({ source }) => source instanceof PacketStream);
    if (!this.#encoded || !stream.shared || kind !== 'h264' || maxLongEdge !== undefined || inUse) return false;
    // Packets end when the device is turned and cannot turn them: the stream goes on with what is captured.
    const failed = () => {
      stream.source?.close();
      stream.source = undefined;
      if (this.#streams.has(stream)) void this.#encode(stream, this.#createEncoder);
    };
    stream.source = new PacketStream(this.#encoded, { ...this.#encoderSink(stream), failed }, () => this.#timeOf());
    return true;
  }

  #closeUnused(stream: EncodedStream): void {
    if (!stream.hasSubscribers) {
      this.#streams.delete(stream);
      stream.source?.close();
    }
    this.#shareTime();
  }

  #end(stream: EncodedStream, cause: EndCause, reason: string): void {
    if (!this.#streams.delete(stream)) return;
    const { gatewayNumber } = stream;
    stream.end(cause, reason);
    this.#shareTime();
    if (gatewayNumber !== undefined) this.#sink.ended(gatewayNumber, reason);
  }

  /**
   * Serves the streams at the end of this turn of the event loop: the device reports a change before it has finished the input, and
   * the acknowledgement of the input is sent before the picture is captured.
   */
  #wake(): void {
    if (this.#ended || this.#capturing) return;
    this.#cancelTimer();
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      void this.#serve();
    });
  }

  #pictureStreams(): PictureStream[] {
    return [...this.#streams].flatMap(({ source }) => (source instanceof PictureStream ? source : []));
  }

  /** Called whenever the streams, or those that are recorded, have changed. */
  #shareTime(): void {
    const viewed = [...this.#streams].filter(({ hasLocalSubscribers }) => !hasLocalSubscribers).length;
    const share = viewed > UNBOUNDED_STREAMS ? SHARED_TIME / viewed : 1;
    for (const { source, hasLocalSubscribers } of this.#streams) {
      if (source instanceof PictureStream) source.limitTo(hasLocalSubscribers ? 1 : share);
    }
  }

  async #serve(): Promise<void> {
    if (this.#capturing) return;
    const nowMs = this.#clock.monotonicMs();
    const due = this.#pictureStreams().filter((source) => source.isDue(nowMs));
    if (due.length > 0) {
      this.#capturing = true;
      await this.#capture(due);
      this.#capturing = false;
    }
    this.#wakeWhenWanted();
  }

  async #capture(due: readonly PictureStream[]): Promise<void> {
    for (const source of due) source.awaitPicture();
    const startMs = this.#clock.monotonicMs();
    try {
      await this.#gate.capture((picture) => this.#offer(picture, startMs, due));
      this.#failures = 0;
    } catch (error) {
      for (const source of due) source.markChanged();
      this.#failures++;
      if (this.#failures > RETRIES_MAX) this.close(`the screen cannot be captured: ${sentence(error)}`);
    }
  }

  /** Gives a picture to each stream, in slices: every one of them begins with some work on this thread. */
  async #offer(picture: Picture, startMs: number, due: readonly PictureStream[]): Promise<void> {
    const slice = new TimeSlice();
    const reading: (Promise<void> | undefined)[] = [];
    for (const source of due) {
      if (slice.over) await slice.next();
      if (this.#ended) break;
      reading.push(source.offer(picture, this.#timeOf(startMs)));
    }
    await Promise.all(reading);
  }

  /** The time of a picture that is there now. */
  #timeOf(startMs = this.#clock.monotonicMs()): CaptureTime {
    return { atUs: this.#wall.now(), monotonicMs: this.#clock.monotonicMs(), startMs };
  }

  #wakeWhenWanted(): void {
    if (this.#ended) return;
    const times = this.#pictureStreams().map(({ wantsAtMs }) => wantsAtMs ?? Number.POSITIVE_INFINITY);
    const wantsAtMs = Math.min(...times);
    if (wantsAtMs === Number.POSITIVE_INFINITY) return;
    const delayMs = this.#failures > 0 ? RETRY_MS : wantsAtMs - this.#clock.monotonicMs();
    if (delayMs <= 0) return this.#wake();
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#wake());
  }
}

const sameProfile = (one: ScreenProfile, other: ScreenProfile): boolean =>
  one.encoding === other.encoding &&
  one.maxLongEdge === other.maxLongEdge &&
  one.quality === other.quality &&
  one.maxFps === other.maxFps;

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

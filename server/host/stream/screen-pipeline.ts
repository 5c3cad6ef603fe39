import type { Device, EncodedScreen } from '../../device/driver.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import type { StreamSink } from '../../link/host-side.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import type { CaptureGate } from '../capture-gate.ts';
import { type CreateEncoder, createEncoder } from './create-encoder.ts';
import { Encoding, type EndCause, type PictureTap, type Tapped } from './encoding.ts';
import { PacketStream } from './packet-stream.ts';
import type { PictureEncoder } from './picture-encoder.ts';
import { PictureStream } from './picture-stream.ts';
import type { StreamOutlet } from './stream.ts';
import { WallMicroseconds } from './wall-microseconds.ts';

/** A device that cannot be captured is tried again after this, so many times in a row. */
const RETRY_MS = 250;
const RETRIES_MAX = 8;

export interface PipelineOptions {
  readonly clock?: Clock;
  readonly createEncoder?: CreateEncoder;
}

/** The stream that a local sink asks for. */
export interface TapWish {
  /** True when a running stream of this profile will do. */
  serves(profile: ScreenProfile): boolean;
  /** The stream to begin when none does. */
  readonly profile: ScreenProfile;
  /** Makes an encoder for this sink alone. Without it, sinks and viewers with the same profile share the stream. */
  readonly createEncoder?: CreateEncoder;
}

/**
 * The streams of one device's screen. A change is captured in the turn of the event loop after it was told, once for all
 * streams that are due, and encoded once for each. While nothing changes nothing runs, not even a timer.
 */
export class ScreenPipeline {
  readonly #gate: CaptureGate;
  readonly #sink: StreamSink;
  readonly #clock: Clock;
  readonly #wall: WallMicroseconds;
  readonly #createEncoder: CreateEncoder;
  /** The device's own encoder, if it has one. */
  readonly #encoded: EncodedScreen | undefined;
  readonly #encodings = new Set<Encoding>();
  #immediate: NodeJS.Immediate | undefined;
  #cancelTimer: () => void = () => undefined;
  #capturing = false;
  #failures = 0;
  #ended = false;

  constructor(
    device: Pick<Device, 'onChange' | 'encoded'>,
    gate: CaptureGate,
    sink: StreamSink,
    options: PipelineOptions = {},
  ) {
    this.#gate = gate;
    this.#encoded = device.encoded;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#wall = new WallMicroseconds(this.#clock);
    this.#createEncoder = options.createEncoder ?? createEncoder;
    device.onChange(() => {
      for (const { stream } of this.#encodings) stream?.markChanged();
      this.#wake();
    });
  }

  /** Begins a stream; its first picture is a key picture and comes at once. A stream that cannot begin ends. */
  async watch(number: number, profile: ScreenProfile): Promise<void> {
    if (this.#numbered(number)) throw new Error(`stream ${number} is open`);
    const encoding = [...this.#encodings].find(
      (other) => other.shared && other.number === undefined && sameProfile(other.profile, profile),
    );
    if (!encoding) return this.#begin(new Encoding(profile, true), this.#createEncoder, number);
    encoding.number = number;
    this.#wake();
  }

  unwatch(number: number): void {
    const encoding = this.#numbered(number);
    if (!encoding) return;
    encoding.number = undefined;
    this.#closeUnheard(encoding);
  }

  /** The stream's next picture is a key picture, and comes soon. A stream that is ended needs none. */
  requestKey(number: number): void {
    this.#numbered(number)?.stream?.requestKey();
    this.#wake();
  }

  /** Listens to a stream on this host, to a running one where that will do. What cannot begin tells that it has ended. */
  tap(wish: TapWish, tap: PictureTap): Tapped {
    const running = wish.createEncoder
      ? undefined
      : [...this.#encodings].find((other) => other.shared && wish.serves(other.profile));
    const encoding = running ?? new Encoding(wish.profile, !wish.createEncoder);
    encoding.addTap(tap);
    if (running) this.#wake();
    else if (this.#ended) setImmediate(() => encoding.end('screen', 'the screen is closed'));
    else void this.#begin(encoding, wish.createEncoder ?? this.#createEncoder);
    return {
      profile: encoding.profile,
      requestKey: () => {
        encoding.stream?.requestKey();
        this.#wake();
      },
      close: () => {
        encoding.removeTap(tap);
        this.#closeUnheard(encoding);
      },
    };
  }

  /** Captures nothing more. Its streams do not end, and say nothing. */
  standStill(): void {
    this.#ended = true;
    clearImmediate(this.#immediate);
    this.#cancelTimer();
  }

  /** Ends all streams, once and for all. */
  close(reason: string): void {
    this.standStill();
    for (const encoding of [...this.#encodings]) this.#end(encoding, 'screen', reason);
  }

  #numbered(number: number): Encoding | undefined {
    for (const encoding of this.#encodings) if (encoding.number === number) return encoding;
    return undefined;
  }

  async #begin(encoding: Encoding, create: CreateEncoder, number?: number): Promise<void> {
    this.#encodings.add(encoding);
    encoding.number = number;
    if (!this.#passThrough(encoding)) await this.#encode(encoding, create);
  }

  async #encode(encoding: Encoding, create: CreateEncoder): Promise<void> {
    const { profile } = encoding;
    let encoder: PictureEncoder;
    try {
      encoder = await create(profile);
    } catch (error) {
      return this.#end(encoding, 'encoder', `the host has no ${profile.encoding} encoder: ${sentence(error)}`);
    }
    // It was ended while the encoder was made.
    if (!this.#encodings.has(encoding)) return encoder.close();
    encoding.stream = new PictureStream(profile, encoder, this.#outlet(encoding), () => this.#clock.monotonicMs());
    this.#wake();
  }

  #outlet(encoding: Encoding): StreamOutlet {
    const toGateway = this.#sink.picture.bind(this.#sink);
    return {
      picture: (picture, time) => encoding.deliver(picture, time, toGateway),
      failed: (error) =>
        this.#end(encoding, 'encoder', `the ${encoding.profile.encoding} encoder failed: ${sentence(error)}`),
      get keepsSize() {
        return encoding.tapped;
      },
      ready: () => this.#wake(),
    };
  }

  /**
   * Gives the stream the device's own packets where it has some: those have one size and one quality, so that a stream of
   * another size is encoded here.
   */
  #passThrough(encoding: Encoding): boolean {
    const { encoding: kind, maxLongEdge } = encoding.profile;
    const taken = [...this.#encodings].some(({ stream }) => stream instanceof PacketStream);
    if (!this.#encoded || !encoding.shared || kind !== 'h264' || maxLongEdge !== undefined || taken) return false;
    // Packets end when the device is turned and cannot turn them: the stream goes on with what is captured.
    const failed = () => {
      encoding.stream?.close();
      encoding.stream = undefined;
      if (this.#encodings.has(encoding)) void this.#encode(encoding, this.#createEncoder);
    };
    encoding.stream = new PacketStream(this.#encoded, { ...this.#outlet(encoding), failed }, () => ({
      atUs: this.#wall.now(),
      monotonicMs: this.#clock.monotonicMs(),
    }));
    return true;
  }

  #closeUnheard(encoding: Encoding): void {
    if (encoding.heard) return;
    this.#encodings.delete(encoding);
    encoding.stream?.close();
  }

  #end(encoding: Encoding, cause: EndCause, reason: string): void {
    if (!this.#encodings.delete(encoding)) return;
    const { number } = encoding;
    encoding.end(cause, reason);
    if (number !== undefined) this.#sink.ended(number, reason);
  }

  /**
   * Looks after the streams when this turn of the event loop is over: the device tells of an input before it has done all
   * that the input asks for, and the answer to who sent it goes out before the picture is made.
   */
  #wake(): void {
    if (this.#ended || this.#capturing) return;
    this.#cancelTimer();
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      void this.#serve();
    });
  }

  #streams(): PictureStream[] {
    return [...this.#encodings].flatMap(({ stream }) => (stream instanceof PictureStream ? stream : []));
  }

  async #serve(): Promise<void> {
    if (this.#capturing) return;
    const nowMs = this.#clock.monotonicMs();
    const due = this.#streams().filter((stream) => stream.isDue(nowMs));
    if (due.length > 0) {
      this.#capturing = true;
      await this.#capture(due);
      this.#capturing = false;
    }
    this.#wakeWhenWanted();
  }

  async #capture(due: readonly PictureStream[]): Promise<void> {
    for (const stream of due) stream.awaitPicture();
    try {
      await this.#gate.capture((picture) => {
        if (this.#ended) return undefined;
        const time = () => ({ atUs: this.#wall.now(), monotonicMs: this.#clock.monotonicMs() });
        return Promise.all(due.map((stream) => stream.offer(picture, time())));
      });
      this.#failures = 0;
    } catch (error) {
      for (const stream of due) stream.markChanged();
      this.#failures++;
      if (this.#failures > RETRIES_MAX) this.close(`the screen cannot be captured: ${sentence(error)}`);
    }
  }

  #wakeWhenWanted(): void {
    if (this.#ended) return;
    const wishes = this.#streams().map(({ wantsAtMs }) => wantsAtMs ?? Number.POSITIVE_INFINITY);
    const wantsAtMs = Math.min(...wishes);
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

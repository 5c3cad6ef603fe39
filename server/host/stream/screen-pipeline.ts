import type { Device } from '../../device/driver.ts';
import { type Clock, systemClock } from '../../flow/clock.ts';
import type { StreamSink } from '../../link/host-side.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import type { CaptureGate } from '../capture-gate.ts';
import { type CreateEncoder, createEncoder, type PictureEncoder } from './picture-encoder.ts';
import { PictureStream } from './picture-stream.ts';
import { WallMicroseconds } from './wall-microseconds.ts';

/** A device that cannot be captured is tried again after this, so many times in a row. */
const RETRY_MS = 250;
const RETRIES_MAX = 8;

export interface PipelineOptions {
  readonly clock?: Clock;
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
  /** `undefined` while the stream's encoder is being made. */
  readonly #streams = new Map<number, PictureStream | undefined>();
  #immediate: NodeJS.Immediate | undefined;
  #cancelTimer: () => void = () => undefined;
  #capturing = false;
  #failures = 0;
  #ended = false;

  constructor(device: Pick<Device, 'onChange'>, gate: CaptureGate, sink: StreamSink, options: PipelineOptions = {}) {
    this.#gate = gate;
    this.#sink = sink;
    this.#clock = options.clock ?? systemClock;
    this.#wall = new WallMicroseconds(this.#clock);
    this.#createEncoder = options.createEncoder ?? createEncoder;
    device.onChange(() => {
      for (const stream of this.#streams.values()) stream?.markChanged();
      this.#wake();
    });
  }

  /** Begins a stream; its first picture is a key picture and comes at once. A stream that cannot begin ends. */
  async watch(number: number, profile: ScreenProfile): Promise<void> {
    if (this.#streams.has(number)) throw new Error(`stream ${number} is open`);
    this.#streams.set(number, undefined);
    let encoder: PictureEncoder;
    try {
      encoder = await this.#createEncoder(profile);
    } catch (error) {
      return this.#end(number, `the host has no ${profile.encoding} encoder: ${sentence(error)}`);
    }
    // It was ended while the encoder was made.
    if (!this.#streams.has(number)) return encoder.close();
    const outlet = {
      picture: this.#sink.picture.bind(this.#sink, number),
      failed: (error: unknown) => this.#end(number, `the ${profile.encoding} encoder failed: ${sentence(error)}`),
      ready: () => this.#wake(),
    };
    this.#streams.set(number, new PictureStream(profile, encoder, outlet, () => this.#clock.monotonicMs()));
    this.#wake();
  }

  unwatch(number: number): void {
    this.#streams.get(number)?.close();
    this.#streams.delete(number);
  }

  /** The stream's next picture is a key picture, and comes soon. A stream that is ended needs none. */
  requestKey(number: number): void {
    this.#streams.get(number)?.requestKey();
    this.#wake();
  }

  /** Ends all streams, once and for all. */
  close(reason: string): void {
    this.#ended = true;
    clearImmediate(this.#immediate);
    this.#cancelTimer();
    for (const number of [...this.#streams.keys()]) this.#end(number, reason);
  }

  #end(number: number, reason: string): void {
    if (!this.#streams.has(number)) return;
    this.unwatch(number);
    this.#sink.ended(number, reason);
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

  async #serve(): Promise<void> {
    if (this.#capturing) return;
    const nowMs = this.#clock.monotonicMs();
    const due = [...this.#streams.values()].filter((stream) => stream?.isDue(nowMs));
    if (due.length > 0) {
      this.#capturing = true;
      await this.#capture(due.filter((stream) => stream !== undefined));
      this.#capturing = false;
    }
    this.#wakeWhenWanted();
  }

  async #capture(due: readonly PictureStream[]): Promise<void> {
    for (const stream of due) stream.awaitPicture();
    try {
      await this.#gate.capture((picture) => {
        for (const stream of due) {
          stream.offer(picture, { atUs: this.#wall.now(), monotonicMs: this.#clock.monotonicMs() });
        }
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
    const wishes = [...this.#streams.values()].map((stream) => stream?.wantsAtMs ?? Number.POSITIVE_INFINITY);
    const wantsAtMs = Math.min(...wishes);
    if (wantsAtMs === Number.POSITIVE_INFINITY) return;
    const delayMs = this.#failures > 0 ? RETRY_MS : wantsAtMs - this.#clock.monotonicMs();
    if (delayMs <= 0) return this.#wake();
    this.#cancelTimer();
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#wake());
  }
}

const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));

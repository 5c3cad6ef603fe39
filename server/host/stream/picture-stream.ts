import type { Picture } from '../../device/driver.ts';
import type { Clock } from '../../flow/clock.ts';
import type { ScreenProfile } from '../../link/messages.ts';
import { reached } from '../../link/stages.ts';
import { FramePace } from './frame-pace.ts';
import type { EncodedPicture, PictureEncoder } from './picture-encoder.ts';
import type { CaptureTime, EncoderSink, StreamSource } from './stream-source.ts';

/** Minimum interval of key pictures; several viewers share one. */
export const KEY_INTERVAL_MS = 50;

/**
 * Minimum interval of unchanged whole pictures that only confirm an input: ten per second are 1 MB of JPEG. The first one is sent
 * at once.
 */
export const REPEAT_INTERVAL_MS = 100;

/** Timers count whole milliseconds and so fire a little early. */
const TIMER_MS = 1;

/** Maximum rate. */
const FPS_MAX = 60;

/** A picture that has waited for its encoder for so long is no longer the newest: another one is captured in its place. */
const AHEAD_MS_MAX = 1_000 / FPS_MAX;

/** One profile of a device's screen: the schedule of its captures, and its encoder. */
export class PictureStream implements StreamSource {
  readonly #profile: ScreenProfile;
  readonly #encoder: PictureEncoder;
  readonly #sink: EncoderSink;
  readonly #clock: Clock;
  readonly #pace: FramePace;
  /** Time since which a change waits to be captured. */
  #changedMs: number | undefined;
  #keyWantedMs: number | undefined;
  /** An input without a visible change waits for a picture that confirms it. */
  #repeatWanted = false;
  #repeatMs = Number.NEGATIVE_INFINITY;
  #takenMs = 0;
  #keyMs = Number.NEGATIVE_INFINITY;
  #version: number | undefined;
  #inputSeq = 0;
  #encodings = 0;
  #busy = false;
  /** Wakes the picture that was captured while the one before it is being encoded. */
  #wakeNext: () => void = () => undefined;
  /** The picture that is being encoded takes longer than one that is captured ahead may wait. */
  #isLate = false;
  #closed = false;

  constructor(profile: ScreenProfile, encoder: PictureEncoder, sink: EncoderSink, clock: Clock) {
    this.#profile = profile;
    this.#encoder = encoder;
    this.#sink = sink;
    this.#clock = clock;
    this.#pace = new FramePace(Math.min(Math.max(profile.maxFps, 1), FPS_MAX));
    this.#keyWantedMs = clock.monotonicMs();
  }

  /** Monotonic time of the next wanted capture; `undefined` if none is wanted. */
  get wantsAtMs(): number | undefined {
    // One picture is captured ahead: drawing it and encoding the one before it are the work of two threads.
    if (this.#closed || (this.#busy && !this.#mayCaptureAhead)) return undefined;
    if (this.#changedMs !== undefined) return this.#pace.nextMs;
    const keyAtMs = this.#keyWantedMs === undefined ? Number.POSITIVE_INFINITY : this.#keyMs + KEY_INTERVAL_MS;
    const repeatAtMs = this.#repeatWanted ? this.#repeatMs + REPEAT_INTERVAL_MS : Number.POSITIVE_INFINITY;
    const wantsAtMs = Math.max(this.#pace.nextMs, Math.min(keyAtMs, repeatAtMs));
    return wantsAtMs === Number.POSITIVE_INFINITY ? undefined : wantsAtMs;
  }

  isDue(nowMs: number): boolean {
    const { wantsAtMs } = this;
    return wantsAtMs !== undefined && nowMs >= wantsAtMs - TIMER_MS;
  }

  /** Bounds the share of the time in which it is encoded, where many streams share the screen. */
  limitTo(timeShare: number): void {
    this.#pace.limitTo(timeShare);
  }

  /** Ignored while somebody on this host needs all pictures. */
  boundRate(bytesPerMs: number | undefined): void {
    this.#pace.boundRate(bytesPerMs);
  }

  markChanged(): void {
    this.#changedMs ??= this.#clock.monotonicMs();
  }

  requestKey(): void {
    this.#keyWantedMs ??= this.#clock.monotonicMs();
  }

  /** Called when a capture starts, which will show every change until now. */
  awaitPicture(): void {
    this.#takenMs = this.#changedMs ?? this.#keyWantedMs ?? this.#clock.monotonicMs();
    this.#changedMs = undefined;
  }

  /**
   * Encodes the picture if needed, once the one before it is encoded. Its pixels may change after this returns or, for a
   * promise, settles.
   */
  offer(picture: Picture, time: CaptureTime): Promise<void> | undefined {
    if (this.#busy) return this.#offerNext(picture, time);
    if (this.#closed) return undefined;
    const key = this.#keyWantedMs !== undefined && time.monotonicMs >= this.#keyMs + KEY_INTERVAL_MS - TIMER_MS;
    const unchanged = picture.version === this.#version;
    if (unchanged && !key && !this.#mayRepeat(picture, time)) return undefined;
    this.#version = picture.version;
    this.#inputSeq = picture.inputSeq;
    this.#repeatWanted = false;
    if (unchanged) this.#repeatMs = time.monotonicMs;
    const { orientation, inputSeq, display } = picture;
    const shown = display === undefined ? {} : { display };
    const beganMs = this.#clock.monotonicMs();
    const lateMs = this.#pace.began(this.#takenMs, time.startMs);
    reached('captureBegan', inputSeq, time.startMs);
    reached('captured', inputSeq, time.monotonicMs);
    const tell = (encoded: EncodedPicture) => {
      reached('encoded', inputSeq);
      this.#pace.took(time.startMs, lateMs, this.#clock.monotonicMs() - beganMs);
      if (!this.#sink.keepsSize) this.#pace.made(time.startMs, encoded.payload.byteLength);
      if (encoded.key) {
        this.#keyMs = time.monotonicMs;
        this.#keyWantedMs = undefined;
      }
      const { encoding } = this.#profile;
      const encodings = this.#encodings;
      const about = { unchanged, encoding, orientation, inputSeq, capturedAtUs: time.atUs, encodings };
      this.#sink.picture({ ...encoded, ...about, ...shown }, time);
    };
    this.#encodings++;
    try {
      this.#encoder.reduceTo?.(this.#sink.keepsSize ? 1 : this.#pace.sizeShare);
      const encoded = this.#encoder.encode(picture, key, time.atUs);
      if (encoded instanceof Promise) void this.#await(encoded, tell);
      else tell(encoded);
      return this.#encoder.reading;
    } catch (error) {
      this.#sink.failed(error);
      return undefined;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#encoder.close();
    this.#wakeNext();
  }

  async #offerNext(picture: Picture, time: CaptureTime): Promise<void> {
    await new Promise<void>((resolve) => {
      const giveUp = this.#clock.schedule(AHEAD_MS_MAX, resolve);
      this.#wakeNext = () => {
        giveUp();
        resolve();
      };
    });
    this.#wakeNext = () => undefined;
    if (this.#closed) return;
    this.#isLate = this.#busy;
    if (this.#busy) this.markChanged();
    else await this.offer(picture, time);
  }

  get #mayCaptureAhead(): boolean {
    return this.#sink.isAlone && !this.#isLate;
  }

  /** True if an unchanged screen is sent again to confirm an input. */
  #mayRepeat({ inputSeq }: Picture, { monotonicMs }: CaptureTime): boolean {
    if (inputSeq <= this.#inputSeq) return false;
    if (this.#encoder.repeatsCheaply || monotonicMs >= this.#repeatMs + REPEAT_INTERVAL_MS - TIMER_MS) return true;
    this.#repeatWanted = true;
    return false;
  }

  async #await(encoding: Promise<EncodedPicture>, tell: (encoded: EncodedPicture) => void): Promise<void> {
    this.#busy = true;
    try {
      const encoded = await encoding;
      this.#busy = false;
      if (this.#closed) return;
      tell(encoded);
      this.#sink.ready();
    } catch (error) {
      this.#busy = false;
      if (!this.#closed) this.#sink.failed(error);
    } finally {
      this.#isLate = false;
      this.#wakeNext();
    }
  }
}

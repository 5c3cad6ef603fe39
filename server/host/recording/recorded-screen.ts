import { LIMITS } from '@runcloud/protocol/terms';
import type { Track } from '../../capture/track.ts';
import { sameParameterSets, toAvcPicture } from '../../h264/avc.ts';
import type { ScreenProfile, StreamPicture } from '../../link/messages.ts';
import { RecordingFault } from '../../link/recording-fault.ts';
import type { EndCause, Subscription } from '../stream/encoded-stream.ts';
import { sameSize } from '../stream/fit.ts';
import type { ScreenPipeline } from '../stream/screen-pipeline.ts';
import type { CaptureTime } from '../stream/stream-source.ts';

/** The profile of a recording without viewers: the defaults of a viewer's stream. */
const OWN_PROFILE: ScreenProfile = {
  encoding: 'h264',
  quality: LIMITS.screenQuality.default,
  maxFps: LIMITS.screenFps.default,
};
/** Minimum quality of a viewer's stream that is shared with a recording. */
const FPS_MIN = 30;
const QUALITY_MIN = 60;
/** Interval of key pictures while the screen changes: players seek to key pictures. */
const KEY_INTERVAL_MS = 10_000;

/** A picture of the recording's track. */
export interface RecordedPicture {
  readonly key: boolean;
  readonly data: Buffer;
  readonly time: CaptureTime;
}

export interface TrackSink {
  /** The first one is a key picture with the parameters of the track. */
  picture(picture: RecordedPicture, track: Track): void;
  /** No further pictures come. */
  failed(fault: RecordingFault): void;
}

/**
 * The screen as one track of constant size. While the device has its initial orientation, the track consists of a shared stream's
 * packets. While it is turned, a separate encoder letterboxes the pictures into the initial frame, until the shared stream has a
 * key picture of the right size again, so that no picture is missed.
 */
export class RecordedScreen {
  readonly #screen: ScreenPipeline;
  readonly #listener: TrackSink;
  #track: Track | undefined;
  #profile = OWN_PROFILE;
  #shared: Subscription | undefined;
  #fitted: Subscription | undefined;
  #keyMs = 0;
  #closed = false;

  constructor(screen: ScreenPipeline, listener: TrackSink) {
    this.#screen = screen;
    this.#listener = listener;
    this.#openShared();
  }

  /** Requests a key picture, which comes soon even if the screen is still. */
  requestKey(): void {
    (this.#fitted ?? this.#shared)?.requestKey();
  }

  close(): void {
    this.#closed = true;
    this.#shared?.close();
    this.#fitted?.close();
  }

  #openShared(): void {
    const isFirst = this.#track === undefined;
    this.#shared = this.#screen.subscribe(
      {
        // Later packets have to go with the first ones.
        serves: (profile) => (isFirst ? serves(profile) : serves(profile) && profile.quality === this.#profile.quality),
        profile: this.#profile,
      },
      { picture: (picture, time) => this.#takeShared(picture, time), ended: (...end) => this.#fail(...end) },
    );
    if (isFirst) this.#profile = this.#shared.profile;
  }

  #takeShared(picture: StreamPicture, time: CaptureTime): void {
    if (this.#closed) return;
    if (this.#track && !sameSize(this.#track, picture)) {
      this.#shared?.close();
      this.#shared = undefined;
      return this.#fitted ? undefined : void this.#openFitted(this.#track);
    }
    this.#fitted?.close();
    this.#fitted = undefined;
    this.#take(picture, time);
  }

  async #openFitted(track: Track): Promise<void> {
    // FFmpeg is loaded already: the recording has an H.264 track.
    const { LetterboxEncoder } = await import('./letterbox-encoder.ts');
    if (this.#closed) return;
    const profile = { ...this.#profile, maxFps: OWN_PROFILE.maxFps };
    let encoder: InstanceType<typeof LetterboxEncoder> | undefined;
    const createEncoder = async () => {
      encoder = new LetterboxEncoder(profile, track);
      return encoder;
    };
    this.#fitted = this.#screen.subscribe(
      { serves: () => false, profile, createEncoder },
      {
        picture: (picture, time) => {
          this.#take(picture, time);
          if (encoder?.fits && !this.#shared && !this.#closed) this.#openShared();
        },
        ended: (...end) => this.#fail(...end),
      },
    );
  }

  #take({ key, payload, width, height }: StreamPicture, time: CaptureTime): void {
    if (this.#closed) return;
    const { parameterSets, sample: data } = toAvcPicture(payload);
    if (key && !parameterSets) return this.#fail('encoder', 'a key picture came without parameter sets');
    if (!this.#track && parameterSets) this.#track = { width, height, parameterSets };
    if (!this.#track) return;
    if (parameterSets && !sameParameterSets(parameterSets, this.#track.parameterSets)) {
      return this.#fail('encoder', 'the parameter sets changed');
    }
    if (key) this.#keyMs = time.monotonicMs;
    else if (time.monotonicMs - this.#keyMs > KEY_INTERVAL_MS) this.requestKey();
    this.#listener.picture({ key, data, time }, this.#track);
  }

  #fail(cause: EndCause, reason: string): void {
    if (this.#closed) return;
    this.close();
    const [code, message] =
      cause === 'encoder'
        ? (['encoder_failed', 'The video encoder failed.'] as const)
        : (['capture_interrupted', 'The screen could not be captured.'] as const);
    this.#listener.failed(new RecordingFault({ stage: 'capture', code, message, retryable: false }, reason));
  }
}

const serves = ({ encoding, maxLongEdge, quality, maxFps }: ScreenProfile): boolean =>
  encoding === 'h264' && maxLongEdge === undefined && quality >= QUALITY_MIN && maxFps >= FPS_MIN;

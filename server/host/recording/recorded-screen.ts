import { LIMITS } from '@runcloud/protocol/terms';
import type { Track } from '../../capture/track.ts';
import { type AvcPicture, type ParameterSets, sameParameterSets, toAvcPicture } from '../../h264/avc.ts';
import type { ScreenProfile, StreamPicture } from '../../link/messages.ts';
import { RecordingFault } from '../../link/recording-fault.ts';
import type { EndCause, Subscription } from '../stream/encoded-stream.ts';
import { type Size, sameSize } from '../stream/fit.ts';
import type { ScreenPipeline } from '../stream/screen-pipeline.ts';
import type { CaptureTime } from '../stream/stream-source.ts';
import type { LetterboxEncoder } from './letterbox-encoder.ts';

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
 * key picture of the right size again, so that no picture is missed. The track tells the parameter sets of both from the beginning.
 */
export class RecordedScreen {
  readonly #screen: ScreenPipeline;
  readonly #listener: TrackSink;
  #track: Track | undefined;
  /** Settles when the track tells the parameter sets of both encoders. */
  #isWhole: Promise<void> = Promise.resolve();
  /** Pictures that came before that; absent afterwards. */
  #early: RecordedPicture[] | undefined;
  /** The shared stream has become that of another encoder, whose pictures do not belong to the track. */
  #isFittedForGood = false;
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
    const track = this.#track;
    const avc = toAvcPicture(picture.payload);
    const isForeign = track !== undefined && avc.parameterSets !== undefined && !tells(track, avc.parameterSets);
    if (track && (isForeign || !sameSize(track, picture))) {
      this.#isFittedForGood ||= isForeign && sameSize(track, picture);
      this.#shared?.close();
      this.#shared = undefined;
      return this.#fitted ? undefined : void this.#openFitted(track);
    }
    this.#fitted?.close();
    this.#fitted = undefined;
    this.#take(picture, avc, time);
  }

  async #openFitted(track: Track): Promise<void> {
    await this.#isWhole;
    if (this.#closed) return;
    let encoder: LetterboxEncoder | undefined;
    const createEncoder = async () => {
      encoder = await this.#createFitted(track);
      return encoder;
    };
    this.#fitted = this.#screen.subscribe(
      { serves: () => false, profile: this.#fittedProfile, createEncoder },
      {
        picture: (picture, time) => {
          this.#take(picture, toAvcPicture(picture.payload), time);
          if (encoder?.fits && !this.#shared && !this.#closed && !this.#isFittedForGood) this.#openShared();
        },
        ended: (...end) => this.#fail(...end),
      },
    );
  }

  #take({ key, width, height }: StreamPicture, { parameterSets, sample: data }: AvcPicture, time: CaptureTime): void {
    if (this.#closed) return;
    if (key && !parameterSets) return this.#fail('encoder', 'a key picture came without parameter sets');
    if (!this.#track && parameterSets) this.#begin({ width, height, parameterSets: [parameterSets] });
    if (!this.#track) return;
    if (parameterSets && !tells(this.#track, parameterSets)) {
      return this.#fail('encoder', 'the parameter sets changed');
    }
    if (key) this.#keyMs = time.monotonicMs;
    else if (time.monotonicMs - this.#keyMs > KEY_INTERVAL_MS) this.requestKey();
    const picture = { key, data, time };
    if (this.#early) this.#early.push(picture);
    else this.#listener.picture(picture, this.#track);
  }

  #begin(track: Track): void {
    this.#track = track;
    if (!this.#screen.isEncodedByDevice) return;
    this.#early = [];
    this.#isWhole = this.#findSets(track).then((parameterSets) => {
      const early = this.#early ?? [];
      this.#early = undefined;
      const whole = { ...track, parameterSets };
      this.#track = whole;
      for (const picture of early) if (!this.#closed) this.#listener.picture(picture, whole);
    });
  }

  /** Those of the track and of the separate encoder, whose beginning takes a moment. */
  async #findSets({ parameterSets, ...size }: Track): Promise<Track['parameterSets']> {
    let encoder: LetterboxEncoder | undefined;
    try {
      encoder = await this.#createFitted(size);
      const beside = await encoder.parameterSets();
      return beside ? [...parameterSets, beside] : parameterSets;
    } catch {
      // A host whose encoder does not work records what the device encodes, until the device is turned.
      return parameterSets;
    } finally {
      encoder?.close();
    }
  }

  get #fittedProfile(): ScreenProfile {
    return { ...this.#profile, maxFps: OWN_PROFILE.maxFps };
  }

  async #createFitted(frame: Size): Promise<LetterboxEncoder> {
    const { LetterboxEncoder } = await letterboxes();
    return new LetterboxEncoder(this.#fittedProfile, frame, this.#screen.isEncodedByDevice);
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

/** FFmpeg comes with it, which a host without recordings does not need. */
const letterboxes = () => import('./letterbox-encoder.ts');

/** Whether pictures with these parameter sets belong to a track. */
const tells = ({ parameterSets }: Track, sets: ParameterSets): boolean =>
  parameterSets.some((known) => sameParameterSets(known, sets));

const serves = ({ encoding, maxLongEdge, quality, maxFps }: ScreenProfile): boolean =>
  encoding === 'h264' && maxLongEdge === undefined && quality >= QUALITY_MIN && maxFps >= FPS_MIN;

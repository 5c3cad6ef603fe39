import type { ScreenProfile, StreamPicture } from '../../link/messages.ts';
import type { CaptureTime, Stream } from './stream.ts';

/** Receives a stream's pictures on the host itself. */
export interface PictureTap {
  /** Is done with the payload when it returns. The first picture is a key picture. */
  picture(picture: StreamPicture, time: CaptureTime): void;
  /** Told at most once, and last. */
  ended(cause: EndCause, reason: string): void;
}

/** The reason why a stream ended: its encoder failed, or the screen is gone. */
export type EndCause = 'encoder' | 'screen';

/** A local subscription to a stream. */
export interface Tapped {
  /** How its pictures are encoded. */
  readonly profile: ScreenProfile;
  requestKey(): void;
  /** Nothing more is heard; the encoder ends with the last who hears it. */
  close(): void;
}

/** One encoder and all who hear it: at most one stream of the gateway's, and the taps of this host. */
export class Encoding {
  readonly profile: ScreenProfile;
  /** Others may listen too. */
  readonly shared: boolean;
  /** `undefined` while the encoder is being made. */
  stream: Stream | undefined;
  #number: number | undefined;
  #numberWaits = true;
  /** Taps, and whether each still waits for its first key picture. */
  readonly #taps = new Map<PictureTap, boolean>();

  constructor(profile: ScreenProfile, shared: boolean) {
    this.profile = profile;
    this.shared = shared;
  }

  /** The gateway's stream, if it is one. */
  get number(): number | undefined {
    return this.#number;
  }

  /** The gateway hears it from the next key picture on, or no longer. */
  set number(number: number | undefined) {
    this.#number = number;
    this.#numberWaits = true;
    if (number !== undefined) this.stream?.requestKey();
  }

  get heard(): boolean {
    return this.#number !== undefined || this.#taps.size > 0;
  }

  /** True when a local sink is subscribed, such as a recording, which is one track of one size. */
  get tapped(): boolean {
    return this.#taps.size > 0;
  }

  addTap(tap: PictureTap): void {
    this.#taps.set(tap, true);
    this.stream?.requestKey();
  }

  removeTap(tap: PictureTap): void {
    this.#taps.delete(tap);
  }

  /** @param toGateway takes the payload's memory over, and so comes last */
  deliver(
    picture: StreamPicture,
    time: CaptureTime,
    toGateway: (number: number, picture: StreamPicture) => void,
  ): void {
    for (const [tap, waits] of [...this.#taps]) {
      // One may have been taken away by another.
      if (!this.#taps.has(tap) || (waits && !picture.key)) continue;
      this.#taps.set(tap, false);
      tap.picture(picture, time);
    }
    if (this.#number === undefined || (this.#numberWaits && !picture.key)) return;
    this.#numberWaits = false;
    toGateway(this.#number, picture);
  }

  /** Nothing is heard of it any more; the taps are told why. */
  end(cause: EndCause, reason: string): void {
    this.stream?.close();
    const taps = [...this.#taps.keys()];
    this.#taps.clear();
    for (const tap of taps) tap.ended(cause, reason);
  }
}

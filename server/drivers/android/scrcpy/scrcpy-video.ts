import { accessUnit } from '../../../h264/access-unit.ts';
import { unitsOf } from '../../../h264/annex-b.ts';
import { NAL, nalType } from '../../../h264/nal-unit.ts';
import { headOf, type StreamHead } from '../../../h264/stream-head.ts';
import type { PictureSize, VideoListener, VideoSource } from '../../video/video-source.ts';
import type { WireForm } from './server-file.ts';
import type { VideoPart } from './video-reader.ts';

/** An encoder that is begun anew has its first picture within a second. */
const ANSWER_MS = 5_000;

export interface ScrcpyVideoEvents {
  /** Touches are told in pixels of this size from now on. */
  sized(size: PictureSize): void;
  /** The device is to begin its video anew. */
  requestKey(): void;
  /** It was asked to, and nothing came. */
  silent(): void;
}

interface Subscriber {
  readonly listener: VideoListener;
  /** The last head that it received; before the first one it has had no picture. */
  head: StreamHead | undefined;
}

/** The video of scrcpy's server. All listeners hear the same pictures, each of them from a key picture on. */
export class ScrcpyVideo implements VideoSource {
  readonly #form: WireForm;
  readonly #events: ScrcpyVideoEvents;
  /** Newest first: a new listener replaces the previous one. */
  readonly #subscribers: Subscriber[] = [];
  #head: StreamHead | undefined;
  #begun = false;
  /** The last part was parameter sets or a size, which a key picture follows. */
  #keyIsDue = false;
  #ended: string | undefined;
  #answer: NodeJS.Timeout | undefined;

  constructor(form: WireForm, events: ScrcpyVideoEvents) {
    this.#form = form;
    this.#events = events;
  }

  video(listener: VideoListener): () => void {
    const subscriber: Subscriber = { listener, head: undefined };
    const reason = this.#ended;
    if (reason !== undefined) {
      const telling = setImmediate(() => listener.ended(reason));
      return () => clearImmediate(telling);
    }
    this.#subscribers.unshift(subscriber);
    // The first one finds the video at its beginning.
    if (this.#begun) this.#requestKey();
    return () => this.#remove(subscriber);
  }

  /** Takes what came from the device. Throws a `RangeError` for what is no video. */
  take(part: VideoPart): void {
    if (this.#ended !== undefined) return;
    if (part.kind !== 'picture') this.#keyIsDue = true;
    if (part.kind === 'size') return this.#events.sized(part);
    const units = unitsOf(part.payload);
    const sets = units.filter((unit) => nalType(unit) === NAL.sps || nalType(unit) === NAL.pps);
    // Some encoders repeat their sets with each key picture, which may not be the ones from before.
    if (sets.some((unit) => nalType(unit) === NAL.sps)) this.#configure(sets);
    // Other units of the encoder are not used.
    if (units.some((unit) => nalType(unit) === NAL.slice || nalType(unit) === NAL.idr)) this.#show(units);
  }

  /** Nothing more comes. */
  end(reason: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = reason;
    clearTimeout(this.#answer);
    for (const { listener } of this.#subscribers.splice(0)) listener.ended(reason);
  }

  #configure(sets: readonly Uint8Array[]): void {
    // A second one would set a size that was not checked.
    if (sets.filter((unit) => nalType(unit) === NAL.sps).length > 1) throw new RangeError('the video has two sizes');
    const head = headOf(sets);
    if (this.#head && Buffer.compare(head.parameterSets, this.#head.parameterSets) === 0) return;
    this.#head = head;
    // Version 3 tells of another size in no other way.
    if (this.#form === 3) this.#events.sized(head);
  }

  #show(units: readonly Uint8Array[]): void {
    const head = this.#head;
    if (!head) throw new RangeError('a picture came before its parameter sets');
    const unit = accessUnit(units, head);
    this.#begun = true;
    if (unit.key) this.#keyIsDue = false;
    clearTimeout(this.#answer);
    this.#answer = undefined;
    for (const subscriber of [...this.#subscribers]) {
      if ((subscriber.head === undefined && !unit.key) || !this.#subscribers.includes(subscriber)) continue;
      if (subscriber.head !== head) subscriber.listener.head(head);
      subscriber.head = head;
      subscriber.listener.picture(unit);
    }
  }

  #requestKey(): void {
    if (!this.#keyIsDue) this.#events.requestKey();
    this.#answer ??= setTimeout(() => {
      this.#answer = undefined;
      this.#events.silent();
    }, ANSWER_MS).unref();
  }

  #remove(subscriber: Subscriber): void {
    const at = this.#subscribers.indexOf(subscriber);
    if (at >= 0) this.#subscribers.splice(at, 1);
  }
}

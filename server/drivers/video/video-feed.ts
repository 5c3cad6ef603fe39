import type { AccessUnit } from '../../h264/access-unit.ts';
import type { StreamHead } from '../../h264/stream-head.ts';
import type { VideoListener, VideoSource } from './video-source.ts';

/** A video that broke off is begun again after this, so many times without a picture in between. */
const AGAIN_MS = 500;
const TRIES_MAX = 3;
/** Key pictures are at least this far apart: they are large, and asking for one opens a connection. */
const KEY_INTERVAL_MS = 250;

export interface FeedListener {
  picture(unit: AccessUnit, head: StreamHead): void;
  /** The video has ended and cannot be restarted; called once. */
  lost(reason: string): void;
}

/**
 * A device's video without its breaks. The source gives each new listener a key picture, so a key picture is requested
 * by listening anew. The old video goes on until the new one has its first picture, and no picture is delivered twice.
 */
export class VideoFeed {
  readonly #source: VideoSource;
  readonly #listener: FeedListener;
  #stop: () => void = () => undefined;
  #next: (() => void) | undefined;
  #keyTimer: NodeJS.Timeout | undefined;
  #againTimer: NodeJS.Timeout | undefined;
  #keyMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #closed = false;

  constructor(source: VideoSource, listener: FeedListener) {
    this.#source = source;
    this.#listener = listener;
    this.#begin();
  }

  /** A key picture is to come soon. */
  requestKey(): void {
    if (this.#closed || this.#next || this.#keyTimer) return;
    const waitMs = this.#keyMs + KEY_INTERVAL_MS - performance.now();
    if (waitMs <= 0) return this.#begin();
    this.#keyTimer = setTimeout(() => {
      this.#keyTimer = undefined;
      if (!this.#closed && !this.#next) this.#begin();
    }, waitMs);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#keyTimer);
    clearTimeout(this.#againTimer);
    this.#next?.();
    this.#stop();
  }

  #begin(): void {
    let head: StreamHead | undefined;
    let current = false;
    let stop: () => void = () => undefined;
    const listener: VideoListener = {
      head: (told) => {
        head = told;
      },
      picture: (unit) => {
        if (this.#closed || !head) return;
        if (!current) {
          current = true;
          this.#stop();
          this.#stop = stop;
          this.#next = undefined;
          this.#failures = 0;
        }
        if (unit.key) this.#keyMs = performance.now();
        this.#listener.picture(unit, head);
      },
      ended: (reason) => this.#broke(current, reason),
    };
    this.#next = () => stop();
    stop = this.#source.video(listener);
  }

  #broke(current: boolean, reason: string): void {
    if (this.#closed) return;
    if (current) this.#stop = () => undefined;
    else this.#next = undefined;
    if (++this.#failures > TRIES_MAX) {
      this.close();
      return this.#listener.lost(reason);
    }
    this.#againTimer ??= setTimeout(() => {
      this.#againTimer = undefined;
      if (!this.#closed && !this.#next) this.#begin();
    }, AGAIN_MS);
  }
}

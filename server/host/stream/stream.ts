import type { StreamPicture } from '../../link/messages.ts';

/** What the pipeline does with each of its streams. */
export interface Stream {
  /** When it wants the next picture to be captured, on the monotonic clock; `undefined` while it wants none. */
  readonly wantsAtMs: number | undefined;
  markChanged(): void;
  requestKey(): void;
  close(): void;
}

/** Where a stream's pictures go. */
export interface StreamOutlet {
  picture(picture: StreamPicture, time: CaptureTime): void;
  /** The encoder failed; nothing more comes. */
  failed(error: unknown): void;
  /** Somebody needs pictures of the size that was asked for, also where the host lacks time. */
  readonly keepsSize: boolean;
  /** The encoder is free again after work on another thread. */
  ready(): void;
}

/** When a picture was captured. */
export interface CaptureTime {
  readonly atUs: number;
  readonly monotonicMs: number;
}

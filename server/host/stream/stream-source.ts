import type { StreamPicture } from '../../link/messages.ts';

/** A source of encoded pictures, driven by the pipeline. */
export interface StreamSource {
  /** Monotonic time of the next wanted capture; `undefined` if none is wanted. */
  readonly wantsAtMs: number | undefined;
  markChanged(): void;
  requestKey(): void;
  /** Bounds its bytes per millisecond, where it can; `undefined`: no longer. */
  boundRate?(bytesPerMs: number | undefined): void;
  close(): void;
}

/** Receives the pictures of one encoder. */
export interface EncoderSink {
  picture(picture: StreamPicture, time: CaptureTime): void;
  /** The encoder failed; no further pictures come. */
  failed(error: unknown): void;
  /** True when a subscriber needs pictures of the requested size even if the host falls behind. */
  readonly keepsSize: boolean;
  /** True while no other stream of this screen waits for the same captures. */
  readonly isAlone: boolean;
  /** The encoder is free again after work on another thread. */
  ready(): void;
}

/** When a picture was captured. */
export interface CaptureTime {
  readonly atUs: number;
  readonly monotonicMs: number;
  /** When its capture began. */
  readonly startMs: number;
}

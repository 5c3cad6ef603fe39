import type { AccessUnit } from '../../h264/access-unit.ts';
import type { StreamHead } from '../../h264/stream-head.ts';

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** Receives a device's video. Payloads are in memory of their own. */
export interface VideoListener {
  /** Before the first picture, and whenever the stream begins anew. */
  head(head: StreamHead): void;
  picture(unit: AccessUnit): void;
  /** Told at most once, and last. */
  ended(reason: string): void;
}

/** Where a device's own video comes from. */
export interface VideoSource {
  /** Begins a video, with a key picture first; returns what ends it. Several may run at the same time for a moment. */
  video(listener: VideoListener): () => void;
}

import type { Reply } from '../processes/reply.ts';
/** What the bench and its photon process tell each other; structured clones over the process channel. */

export type PhotonJob =
  /** Taps and watches over the control socket of a session that shows Touch Lab. */
  | { readonly kind: 'socket'; readonly encoding: 'h264' | 'jpeg'; readonly session: PhotonSession }
  /** Taps and watches in the viewer page, in Chromium. */
  | { readonly kind: 'page'; readonly session: PhotonSession }
  /** Taps a page in Chromium, and watches by the DevTools' own screencast. */
  | { readonly kind: 'screencast'; readonly width: number; readonly height: number }
  /** Taps a window on TigerVNC's server and watches it over VNC; without a rate of its own, at the server's usual one. */
  | { readonly kind: 'vnc'; readonly width: number; readonly height: number; readonly frameRate?: number };

export interface PhotonSession {
  /** WebSocket address of the control socket. */
  readonly control: string;
  readonly key: string;
  /** The signed address of its viewer page. */
  readonly viewer: string;
}

export interface PhotonOrder {
  readonly job: PhotonJob;
  /** How long it taps, one tap after the other; then it watches the still screen for `stillMs`, if that is not 0. */
  readonly tapMs: number;
  readonly stillMs: number;
}

/** Milliseconds of each tap, in their order. */
export interface PhotonFigures {
  /** From the send to the arrival of the picture that shows the tap; where a page is measured, to its drawing. */
  readonly photonMs: readonly number[];
  /** From the send to the pixels in this process, decoded; the same as above where a page is measured. */
  readonly pixelsMs: readonly number[];
  /** From the capture to the arrival, or to the drawing; empty where nobody tells when a picture was taken. */
  readonly captureMs: readonly number[];
  /** Bytes of the pictures that showed the taps. */
  readonly pictureBytes: readonly number[];
  /** Bytes of pictures that came while nothing happened; `NaN` when nobody watched. */
  readonly stillBytesPerSecond: number;
}

export type PhotonReply = Reply<PhotonFigures>;

/** What can be tapped and watched. */
export interface Subject {
  /** Taps the n-th place and resolves with what was measured. Rejects when the tap is not seen. */
  tap(n: number): Promise<TapFigures>;
  /** Bytes of pictures that have come so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

export interface TapFigures {
  readonly photonMs: number;
  readonly pixelsMs: number;
  readonly captureMs?: number;
  readonly pictureBytes?: number;
}

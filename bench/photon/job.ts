import type { BareEncoding } from '../controls/bare-screen-messages.ts';
import type { Reply } from '../processes/reply.ts';
import type { Place } from './places.ts';

/** Messages between the bench and its photon process: structured clones over the process channel. */

/** Encodings whose pictures are looked at. */
export type WatchedEncoding = 'h264' | 'jpeg' | 'tiles';

export type PhotonJob =
  /** Taps and watches over the control socket of a session that shows Touch Lab. */
  | { readonly kind: 'socket'; readonly encoding: WatchedEncoding; readonly session: PhotonSession }
  /** Taps and watches in the page at this address, in Chromium: the viewer page, or that of the bare screen. */
  | { readonly kind: 'page'; readonly url: string; readonly bare?: true }
  /** Taps and watches the bare screen at this WebSocket address. */
  | { readonly kind: 'bare'; readonly url: string; readonly encoding: BareEncoding }
  /** Taps a page in Chromium and watches it by the screencast of the DevTools. */
  | { readonly kind: 'screencast'; readonly width: number; readonly height: number }
  /** Taps a window on TigerVNC's server and watches it over VNC, by default at the server's usual rate. */
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
  /** To warm up: each tap leaves as soon as the one before was seen, so that programs have soon compiled what they run. */
  readonly hurries?: true;
  /** Duration of the taps, one after the other. Then it watches the still screen for `stillMs`, if that is not 0. */
  readonly tapMs: number;
  readonly stillMs: number;
}

/** Milliseconds of each tap, in order. */
export interface PhotonFigures {
  /** From sending the tap to the arrival of the picture that shows it; for a page, to its drawing. */
  readonly photonMs: readonly number[];
  /** From sending the tap to the decoded pixels in this process; for a page, the same as `photonMs`. */
  readonly pixelsMs: readonly number[];
  /** From the capture to the arrival, or to the drawing; empty if the time of the capture is unknown. */
  readonly captureMs: readonly number[];
  /** Bytes of the pictures that showed the taps. */
  readonly pictureBytes: readonly number[];
  /** Bytes of pictures that arrived while the screen was still; `NaN` if it was not watched then. */
  readonly stillBytesPerSecond: number;
  /** Of taps whose number the service has told. */
  readonly ways: readonly TapWay[];
}

/** A tap whose picture has arrived; milliseconds since the epoch, as the service notes its stages. */
export interface TapWay {
  readonly inputSeq: number;
  readonly sentMs: number;
  readonly arrivedMs: number;
}

export type PhotonReply = Reply<PhotonFigures>;

/** A screen that can be tapped and watched. */
export interface Subject {
  /** Taps the n-th place and resolves with the measured times. Rejects if no picture shows the tap. */
  tap(n: number): Promise<TapFigures>;
  /** Bytes of all pictures received so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** A tap whose picture has not come yet. */
export interface OpenTap {
  readonly place: Place;
  readonly sentMs: number;
  readonly seen: (figures: TapFigures) => void;
  readonly failed: (error: unknown) => void;
}

export interface TapFigures {
  readonly photonMs: number;
  readonly pixelsMs: number;
  readonly captureMs?: number;
  readonly pictureBytes?: number;
  readonly way?: TapWay;
}

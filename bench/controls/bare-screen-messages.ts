/** Messages of the bare screen: between its threads, and from its viewer, whose taps are `x` and `y` as u16, little-endian. */

/** Environment variable with the encoding of the bare screen's pictures. */
export const BARE_ENCODING = 'BENCH_BARE_ENCODING';
export const BARE_ENCODINGS = ['tiles', 'jpeg', 'h264'] as const;
export type BareEncoding = (typeof BARE_ENCODINGS)[number];

/** A tap whose `x` is this asks for the whole picture. */
export const WHOLE = 0xffff;

/** A tap, in pixels, on its way to the worker, with the socket that it came from. */
export interface BareTap {
  readonly socketId: number;
  readonly x: number;
  readonly y: number;
}

/** The picture, or what has changed, as the payload of a screen packet, on its way back. */
export interface BarePicture {
  readonly socketId: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

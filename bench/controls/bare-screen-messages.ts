/** Messages of the bare screen: between its threads, and from its viewer, whose taps are `x` and `y` as u16, little-endian. */

/** A tap whose `x` is this asks for the whole picture. */
export const WHOLE = 0xffff;

/** A tap, in pixels, on its way to the worker, with the socket that it came from. */
export interface BareTap {
  readonly socketId: number;
  readonly x: number;
  readonly y: number;
}

/** What has changed, as the payload of a `tiles` packet, on its way back. */
export interface BareTiles {
  readonly socketId: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

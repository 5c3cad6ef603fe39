import type { Picture } from '../../device/driver.ts';

/** The encoded form of one picture. */
export interface EncodedPicture {
  readonly key: boolean;
  /** RFC 6381, for `h264`. */
  readonly codec?: string;
  /** Pixels of the encoded picture. */
  readonly width: number;
  readonly height: number;
  /** In memory of its own, to be given away. */
  readonly payload: Uint8Array<ArrayBuffer>;
}

/** The encoder of one stream. Whatever it throws ends the stream. */
export interface PictureEncoder {
  /** True when a picture equal to the one before costs almost nothing. */
  readonly repeatsCheaply: boolean;
  /**
   * Is not called again before what it returns has settled. With `key` the result is decodable by itself; it may be so
   * without.
   */
  encode(picture: Picture, key: boolean, capturedAtUs: number): EncodedPicture | Promise<EncodedPicture>;
  /**
   * Settles, and never rejects, when the pixels of the picture that it was given last may change. Encoders that have read
   * them when `encode` returns leave it out.
   */
  readonly reading?: Promise<void> | undefined;
  /**
   * From the next picture on the edges have this share of what was asked for, so that encoding takes less time. Encoders
   * for which a smaller picture is no less work leave it out.
   */
  reduceTo?(sizeShare: number): void;
  close(): void;
}

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

/** The encoder of one stream. An error ends the stream. */
export interface PictureEncoder {
  /** Whether encoding an unchanged picture is almost free. */
  readonly repeatsCheaply: boolean;
  /**
   * Must not be called again before its result has settled. With `key` the result is a key picture; without it, it may be one.
   */
  encode(picture: Picture, key: boolean, capturedAtUs: number): EncodedPicture | Promise<EncodedPicture>;
  /**
   * Settles when the pixels of the last picture may change; never rejects. Absent: `encode` has read them when it returns.
   */
  readonly reading?: Promise<void> | undefined;
  /**
   * Scales the edges of the following pictures by this factor to reduce the encoding time. Absent: a smaller picture would not be
   * faster.
   */
  reduceTo?(sizeShare: number): void;
  close(): void;
}

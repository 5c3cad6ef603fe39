import type { ScreenHeader } from '../protocol.ts';

/** A decoded picture and how to let go of its memory. */
export interface Picture {
  readonly header: ScreenHeader;
  /** Draws it on a canvas of its size, which shows the picture before. */
  draw(context: CanvasRenderingContext2D): void;
  close(): void;
}

export interface DecoderEvents {
  /** Pictures come in the order of their packets. */
  readonly onPicture: (picture: Picture) => void;
  /** The decoder cannot go on before the next key packet. */
  readonly onFault: (error: unknown) => void;
}

/** One way of turning packets into pictures. */
export interface Decoder {
  readonly name: 'webcodecs' | 'software' | 'tiles' | 'image';
  /** Packets that were given in and have not come out. */
  readonly waiting: number;
  decode(header: ScreenHeader, payload: Uint8Array<ArrayBuffer>): void;
  /** Throws away what waits; the next packet must be a key packet. */
  reset(): void;
  close(): void;
}

import { ORIENTATIONS, type Orientation } from './platforms.ts';

/**
 * The screen packet: 32 bytes, little-endian, then the encoded picture.
 *
 * ```text
 *  0 u8  0x01              8 u32 seq              24 u16 width
 *  1 u8  flags            12 u32 inputSeq         26 u16 height
 *  2 u8  encoding         16 u64 capturedAtUs     28 u16 pictures left out
 *  3 u8  orientation                              30 u16 ms from capture to hand-over
 *  4 u32 streamId
 * ```
 */
export const SCREEN_PACKET_KIND = 0x01;
export const SCREEN_HEADER_BYTES = 32;

export const SCREEN_ENCODINGS = ['h264', 'jpeg', 'png', 'tiles'] as const;
export type ScreenEncoding = (typeof SCREEN_ENCODINGS)[number];

/** Encodings whose packets, but for key packets, are decoded on top of the one before. */
export const hasDeltas = (encoding: ScreenEncoding): boolean => encoding === 'h264' || encoding === 'tiles';

const FLAG_KEY = 0b01;
const FLAG_UNCHANGED = 0b10;

export interface ScreenHeader {
  /** Decodable without any packet before it. */
  readonly key: boolean;
  /** The screen is as it was in the packet before: a keep-alive or a re-encode. */
  readonly unchanged: boolean;
  readonly encoding: ScreenEncoding;
  readonly orientation: Orientation;
  readonly streamId: number;
  /** Rises by one for each packet of this stream that this client is sent. */
  readonly seq: number;
  /** The newest interaction whose input the device had received when this picture was taken. */
  readonly inputSeq: number;
  /** Microseconds since the Unix epoch, on the server's clock. */
  readonly capturedAtUs: number;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Pictures left out for this client since its last packet; 65,535 stands for that many or more. */
  readonly leftOut: number;
  /** Milliseconds from capture to hand-over to the socket; 65,535 stands for that many or more. */
  readonly handOverMs: number;
}

const saturate16 = (value: number): number => Math.min(0xffff, Math.max(0, Math.round(value)));

/** Writes the header to the first 32 bytes of `target`. */
export function writeScreenHeader(target: Uint8Array, header: ScreenHeader): void {
  const view = new DataView(target.buffer, target.byteOffset, SCREEN_HEADER_BYTES);
  writeScreenPicture(view, header);
  writeScreenAddress(view, header);
}

/** Fields of a header that differ from client to client. */
export type ScreenAddress = Pick<ScreenHeader, 'streamId' | 'seq' | 'leftOut' | 'handOverMs'>;

/** Writes all other fields, once for a picture that goes to many. */
export function writeScreenPicture(header: DataView, picture: Omit<ScreenHeader, keyof ScreenAddress>): void {
  const capturedAtUs = Math.round(picture.capturedAtUs);
  header.setUint8(0, SCREEN_PACKET_KIND);
  header.setUint8(1, (picture.key ? FLAG_KEY : 0) | (picture.unchanged ? FLAG_UNCHANGED : 0));
  header.setUint8(2, SCREEN_ENCODINGS.indexOf(picture.encoding) + 1);
  header.setUint8(3, ORIENTATIONS.indexOf(picture.orientation));
  header.setUint32(12, picture.inputSeq, true);
  header.setUint32(16, capturedAtUs % 2 ** 32, true);
  header.setUint32(20, capturedAtUs / 2 ** 32, true);
  header.setUint16(24, picture.width, true);
  header.setUint16(26, picture.height, true);
}

/** Writes these fields alone into a header that is there otherwise. */
export function writeScreenAddress(header: DataView, { streamId, seq, leftOut, handOverMs }: ScreenAddress): void {
  header.setUint32(4, streamId, true);
  header.setUint32(8, seq, true);
  header.setUint16(28, saturate16(leftOut), true);
  header.setUint16(30, saturate16(handOverMs), true);
}

/** Reads a packet's header; `undefined` when the bytes are not a screen packet. */
export function readScreenHeader(packet: Uint8Array): ScreenHeader | undefined {
  if (packet.byteLength < SCREEN_HEADER_BYTES || packet[0] !== SCREEN_PACKET_KIND) return undefined;
  const view = new DataView(packet.buffer, packet.byteOffset, SCREEN_HEADER_BYTES);
  const encoding = SCREEN_ENCODINGS[view.getUint8(2) - 1];
  const orientation = ORIENTATIONS[view.getUint8(3)];
  if (!encoding || !orientation) return undefined;
  const flags = view.getUint8(1);
  return {
    key: (flags & FLAG_KEY) !== 0,
    unchanged: (flags & FLAG_UNCHANGED) !== 0,
    encoding,
    orientation,
    streamId: view.getUint32(4, true),
    seq: view.getUint32(8, true),
    inputSeq: view.getUint32(12, true),
    capturedAtUs: Number(view.getBigUint64(16, true)),
    width: view.getUint16(24, true),
    height: view.getUint16(26, true),
    leftOut: view.getUint16(28, true),
    handOverMs: view.getUint16(30, true),
  };
}

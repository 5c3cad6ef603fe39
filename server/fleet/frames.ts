/**
 * Frames of a channel: one HTTP request or one control socket between an edge and a host.
 *
 * A frame is its type (1 byte), the number of its channel (4 bytes, chosen by the edge), its own number in the channel and
 * direction (4 bytes, from 0), then its payload; integers are big-endian. A gap between the numbers shows a loss, after which
 * the channel ends.
 */
export const FRAME = {
  /** Edge to host: opens a channel. A head, and the body of a request or its first piece. */
  open: 1,
  /** Host to edge: the socket may be opened. */
  accept: 2,
  /** Host to edge: the answer to a request or the refusal of a socket. A head, and the body or nothing. */
  reply: 3,
  /** Either: a message of the socket, or a piece of a body. */
  data: 4,
  /** Either: a part of a message that is longer than one payload; `data` is the last one. */
  part: 5,
  /** Edge to host: a text message, whose content nobody wants. */
  text: 6,
  /** Edge to host: a WebSocket ping or pong; of a request, whether the host still knows of it. */
  ping: 7,
  /** Either: the end of a body. */
  end: 8,
  /** The receiver of data: so many bytes more were taken (4 bytes). */
  taken: 9,
  /** Either: the channel has ended. A head with `code` and `reason`. */
  closed: 10,
  /** Host to edge, of no channel: an asset is wanted. A head with `accountId` and `id`. */
  want: 11,
  /** Host to edge: a screen packet of the socket, behind the number of its picture (4 bytes), by which the edge keeps it. */
  picture: 12,
  /** Host to edge: a screen packet whose picture the edge has: its number (4 bytes), then the packet's header. */
  again: 13,
} as const;
export type FrameType = (typeof FRAME)[keyof typeof FRAME];

export interface Frame {
  readonly type: FrameType;
  readonly channel: number;
  readonly number: number;
  readonly payload: Uint8Array;
}

export const FRAME_HEAD_BYTES = 9;
const CHANNEL_AT = 1;
const NUMBER_AT = 5;
const TYPES: ReadonlySet<number> = new Set(Object.values(FRAME));
const LENGTH_BYTES = 4;
export const COUNT_BYTES = 4;
const NOTHING = new Uint8Array();

export function encodeFrame(type: FrameType, channel: number, number: number, ...payload: Uint8Array[]): Buffer {
  const bytes = payload.reduce((sum, { byteLength }) => sum + byteLength, FRAME_HEAD_BYTES);
  const frame = Buffer.allocUnsafe(bytes);
  frame.writeUInt8(type, 0);
  frame.writeUInt32BE(channel, CHANNEL_AT);
  frame.writeUInt32BE(number, NUMBER_AT);
  let at = FRAME_HEAD_BYTES;
  for (const piece of payload) {
    frame.set(piece, at);
    at += piece.byteLength;
  }
  return frame;
}

/** `undefined` for what is no frame. Its payload is a view of `bytes`. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.byteLength < FRAME_HEAD_BYTES || !TYPES.has(bytes[0] as number)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    type: bytes[0] as FrameType,
    channel: view.getUint32(CHANNEL_AT),
    number: view.getUint32(NUMBER_AT),
    payload: bytes.subarray(FRAME_HEAD_BYTES),
  };
}

/** A head as JSON behind its length (4 bytes), then a body. */
export function encodeHead(head: object, body: Uint8Array = NOTHING): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.allocUnsafe(LENGTH_BYTES);
  length.writeUInt32BE(text.byteLength, 0);
  return [length, text, body];
}

/** Throws for what `encodeHead` did not make. The body is a view of `payload`. */
export function decodeHead<Head>(payload: Uint8Array): { readonly head: Head; readonly body: Uint8Array } {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const end = LENGTH_BYTES + bytes.readUInt32BE(0);
  if (end > bytes.byteLength) throw new Error('a frame is shorter than its head');
  return { head: JSON.parse(bytes.toString('utf8', LENGTH_BYTES, end)) as Head, body: payload.subarray(end) };
}

export function encodeCount(count: number): Buffer {
  const bytes = Buffer.allocUnsafe(COUNT_BYTES);
  bytes.writeUInt32BE(count, 0);
  return bytes;
}

export const decodeCount = (payload: Uint8Array): number =>
  payload.byteLength === COUNT_BYTES ? new DataView(payload.buffer, payload.byteOffset, COUNT_BYTES).getUint32(0) : 0;

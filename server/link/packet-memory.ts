import { SCREEN_HEADER_BYTES } from '@runcloud/protocol/terms';

/** Memory for an encoded picture with space for a screen packet's header before it, so that the picture is not copied again. */
export const payloadMemory = (bytes: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new ArrayBuffer(SCREEN_HEADER_BYTES + bytes), SCREEN_HEADER_BYTES);

/** A copy of an encoded picture in such memory. */
export function payloadOf(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const payload = payloadMemory(data.byteLength);
  payload.set(data);
  return payload;
}

/** The memory of a packet with this payload and an unwritten header: the payload's own memory if it has space, else a copy. */
export function packetAround(payload: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const bytes = SCREEN_HEADER_BYTES + payload.byteLength;
  const hasRoom = payload.byteOffset === SCREEN_HEADER_BYTES && payload.buffer.byteLength === bytes;
  return new Uint8Array(hasRoom ? payload.buffer : payloadOf(payload).buffer);
}

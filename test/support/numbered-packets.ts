import { SCREEN_HEADER_BYTES, SCREEN_PACKET_KIND } from '@runcloud/protocol/terms';

/** Screen packets whose headers number the messages of one socket, and whose pictures tell from each other. */

/** Where a packet has the number of its message, and the one of its picture, which fills it up. */
const NUMBER_AT = 8;
const PICTURE_AT = 12;
const PICTURE_BYTES = 100;

export function screenPacket(picture: number): Uint8Array<ArrayBuffer> {
  const packet = new Uint8Array(SCREEN_HEADER_BYTES + PICTURE_BYTES).fill(picture % 256, SCREEN_HEADER_BYTES);
  packet[0] = SCREEN_PACKET_KIND;
  new DataView(packet.buffer).setUint32(PICTURE_AT, picture);
  return packet;
}

/** The same array with another number. */
export function numberPacket(packet: Uint8Array<ArrayBuffer>, number: number): Uint8Array<ArrayBuffer> {
  new DataView(packet.buffer).setUint32(NUMBER_AT, number);
  return packet;
}

/** The number of a message, as a packet or as a text; `NaN` of a packet with another picture than its header says. */
export function numberIn(message: Uint8Array): number {
  if (message[0] !== SCREEN_PACKET_KIND) return Number(Buffer.from(message).toString());
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const isWhole = message.subarray(SCREEN_HEADER_BYTES).every((byte) => byte === view.getUint32(PICTURE_AT) % 256);
  return isWhole ? view.getUint32(NUMBER_AT) : Number.NaN;
}

import { encodeClientMessage } from '@runcloud/protocol';

/** Numbers that MessagePack writes as four bytes after a marker, to be replaced in place. */
const PLACEHOLDER = { streamId: 0xf0_00_00_01, seq: 0xf0_00_00_02 };
const FINAL_BINARY = 0x82;
const FINAL_PONG = 0x8a;
const MASKED = 0x80;
const FRAME_HEAD_BYTES = 6;

/** A client's frame with a mask of zeros, which leaves the payload unchanged; at most 125 bytes. */
export function clientFrame(payload: Uint8Array, first = FINAL_BINARY): Buffer {
  if (payload.length > 125) throw new Error('the message is too long for a short frame');
  return Buffer.concat([Buffer.of(first, MASKED | payload.length, 0, 0, 0, 0), payload]);
}

/** The answer to a ping, with the same payload (RFC 6455, section 5.5.3). */
export const pongFrame = (payload: Uint8Array): Buffer => clientFrame(payload, FINAL_PONG);

const TEMPLATE = clientFrame(encodeClientMessage({ type: 'screen.ack', ...PLACEHOLDER }));
const STREAM_ID_AT = placeOf(PLACEHOLDER.streamId);
const SEQ_AT = placeOf(PLACEHOLDER.seq);

function placeOf(placeholder: number): number {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(placeholder);
  const at = TEMPLATE.indexOf(bytes, FRAME_HEAD_BYTES);
  if (at < 0) throw new Error('an acknowledgement is written in another way than expected');
  return at;
}

/** The frame of a `screen.ack`, built without an encoder, which would cost more than the server spends on it. */
export function ackFrame(streamId: number, seq: number): Buffer {
  const frame = Buffer.from(TEMPLATE);
  frame.writeUInt32BE(streamId, STREAM_ID_AT);
  frame.writeUInt32BE(seq, SEQ_AT);
  return frame;
}

import type { ClientMessageCheck } from '@runcloud/protocol';

/** A map of three; `type`, its value, and the key `streamId`; then, after its number, the key `seq`. */
const HEAD = Uint8Array.of(0x83, ...fixedString('type'), ...fixedString('screen.ack'), ...fixedString('streamId'));
const SEQ_KEY = Uint8Array.of(...fixedString('seq'));

/**
 * Reads a `screen.ack` as clients mostly write it: fields in the order of the protocol document, numbers as integers of
 * at most 32 bits. It is what sockets are told most often, once for each picture, and reading it in one go costs a
 * tenth. `undefined` for all else, which is up to `ClientMessageReader`.
 */
export function readScreenAck(bytes: Uint8Array): Extract<ClientMessageCheck, { kind: 'valid' }> | undefined {
  if (!holds(bytes, 0, HEAD)) return undefined;
  const streamIdAt = HEAD.length;
  const seqKeyAt = streamIdAt + widthOfUint(bytes[streamIdAt]);
  if (!holds(bytes, seqKeyAt, SEQ_KEY)) return undefined;
  const seqAt = seqKeyAt + SEQ_KEY.length;
  if (seqAt + widthOfUint(bytes[seqAt]) !== bytes.length) return undefined;
  const message = { type: 'screen.ack', streamId: readUint(bytes, streamIdAt), seq: readUint(bytes, seqAt) } as const;
  return { kind: 'valid', message, map: message };
}

/** A short ASCII string in MessagePack. */
function fixedString(text: string): Uint8Array {
  return Uint8Array.of(0xa0 + text.length, ...new TextEncoder().encode(text));
}

function holds(bytes: Uint8Array, at: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[at + index] !== expected[index]) return false;
  }
  return true;
}

/** Bytes of the unsigned integer that begins so; more than any message has when none of at most 32 bits does. */
function widthOfUint(first: number | undefined): number {
  if (first === undefined) return Number.POSITIVE_INFINITY;
  if (first < 0x80) return 1;
  if (first === 0xcc) return 2;
  if (first === 0xcd) return 3;
  return first === 0xce ? 5 : Number.POSITIVE_INFINITY;
}

function readUint(bytes: Uint8Array, at: number): number {
  const width = widthOfUint(bytes[at]);
  if (width === 1) return bytes[at] ?? 0;
  let value = 0;
  for (let index = 1; index < width; index++) value = value * 256 + (bytes[at + index] ?? 0);
  return value;
}

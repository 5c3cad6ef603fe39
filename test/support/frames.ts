import { requestText, type Wire } from './wire.ts';

/** WebSocket frames bit by bit (RFC 6455, section 5.2), right or wrong as a test needs them. */

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameParts {
  readonly opcode: number;
  readonly payload?: Uint8Array;
  readonly fin?: boolean;
  /** The three reserved bits, as a number from 0 to 7. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** Bytes of the length field: 0 inside the second byte, 2 or 8 after it. By default the shortest that fits. */
  readonly lengthBytes?: 0 | 2 | 8;
}

const MASK = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

export function frame({
  opcode,
  payload = Buffer.alloc(0),
  fin = true,
  reserved = 0,
  masked = true,
  lengthBytes,
}: FrameParts) {
  const { length } = payload;
  const width = lengthBytes ?? (length < 126 ? 0 : length < 65_536 ? 2 : 8);
  const head = Buffer.alloc(2 + width);
  head[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (masked ? 0x80 : 0) | (width === 0 ? length : width === 2 ? 126 : 127);
  if (width === 2) head.writeUInt16BE(length, 2);
  if (width === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!masked) return Buffer.concat([head, payload]);
  return Buffer.concat([head, MASK, payload.map((byte, index) => byte ^ (MASK[index % 4] ?? 0))]);
}

/** A close frame with this code and reason. */
export function closeFrame(code: number, reason: string | Uint8Array = ''): Buffer {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frame({ opcode: OPCODE.close, payload: Buffer.concat([head, Buffer.from(reason)]) });
}

export interface ReceivedFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The next frame from the server; `undefined` when the connection is closed without one. */
export function nextFrame(wire: Wire): Promise<ReceivedFrame | undefined> {
  return wire.take((bytes) => {
    const [first = 0, second = 0] = bytes;
    if (bytes.length < 2) return undefined;
    const width = second === 127 ? 8 : second === 126 ? 2 : 0;
    if (bytes.length < 2 + width) return undefined;
    const length = width === 8 ? Number(bytes.readBigUInt64BE(2)) : width === 2 ? bytes.readUInt16BE(2) : second;
    const used = 2 + width + length;
    if (bytes.length < used) return undefined;
    if ((first & 0xf0) !== 0x80 || (second & 0x80) !== 0)
      throw new Error('a server frame is whole, plain and unmasked');
    return { value: { opcode: first & 0x0f, payload: Buffer.from(bytes.subarray(2 + width, used)) }, used };
  });
}

/** The code of a close frame's payload; `undefined` when it has none. */
export function closeCode({ payload }: ReceivedFrame): number | undefined {
  return payload.length >= 2 ? payload.readUInt16BE() : undefined;
}

/** The headers of a right upgrade, but for the credential. */
export const UPGRADE_HEADERS = {
  Upgrade: 'websocket',
  Connection: 'Upgrade',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol': 'runcloud.v1',
} as const;

/** Opens a control socket on a bare connection and takes its `ready` message. */
export async function upgradeWire(wire: Wire, path: string, authorization: string): Promise<void> {
  void wire.write(requestText(`GET ${path}`, { ...UPGRADE_HEADERS, Authorization: authorization }));
  const answer = await wire.answer();
  if (answer?.status !== 101) throw new Error(`no upgrade: ${answer?.status}`);
  await nextFrame(wire);
}

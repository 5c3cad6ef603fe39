import t from 'tap';
import { FrameReader } from '../../../bench/viewers/frame-reader.ts';
import { frame, OPCODE } from '../../support/frames.ts';

const payload = (bytes: number) => Buffer.from(Array.from({ length: bytes }, (_, index) => index % 251));
const SIZES = [0, 1, 31, 32, 33, 125, 126, 65_535, 65_536, 200_000];

/** Reads the stream in pieces of this size; gives each frame's head and length, and the payloads put together again. */
function read(stream: Buffer, pieceBytes: number) {
  const frames: (readonly [opcode: number, head: string, bytes: number])[] = [];
  const parts: Buffer[] = [];
  const reader = new FrameReader({
    frame: (opcode, head, bytes) => void frames.push([opcode, head.toString('hex'), bytes]),
    part: (bytes) => void parts.push(Buffer.from(bytes)),
  });
  for (let at = 0; at < stream.length; at += pieceBytes) reader.push(stream.subarray(at, at + pieceBytes));
  return { frames, bytes: Buffer.concat(parts) };
}

t.test('frames of every form of length are found, wherever the stream is cut', async (t) => {
  const payloads = SIZES.map(payload);
  const stream = Buffer.concat(payloads.map((each) => frame({ opcode: OPCODE.binary, payload: each, masked: false })));
  for (const pieceBytes of [1, 7, 1_000, 65_536, stream.length]) {
    const { bytes, frames } = read(stream, pieceBytes);
    t.same(
      frames,
      payloads.map((each) => [OPCODE.binary, each.subarray(0, 32).toString('hex'), each.length]),
    );
    t.equal(Buffer.compare(bytes, Buffer.concat(payloads)), 0);
  }
});

t.test('a part of a payload comes with its place', async (t) => {
  const places: number[] = [];
  const reader = new FrameReader({ frame: () => undefined, part: (_, at) => void places.push(at) });
  const stream = frame({ opcode: OPCODE.binary, payload: payload(100), masked: false });
  for (const part of [stream.subarray(0, 42), stream.subarray(42, 50), stream.subarray(50)]) reader.push(part);
  t.same(places, [0, 40, 48]);
});

t.test('a masked frame cannot be from a server', async (t) => {
  const reader = new FrameReader({ frame: () => undefined });
  t.throws(() => reader.push(frame({ opcode: OPCODE.binary, payload: payload(10) })), /does not mask/);
});

import fc from 'fast-check';
import t from 'tap';
import {
  decodeServerMessage,
  ORIENTATIONS,
  readScreenHeader,
  SCREEN_ENCODINGS,
  SCREEN_HEADER_BYTES,
  type ScreenHeader,
  writeScreenAddress,
  writeScreenHeader,
} from '../../protocol/index.ts';

const HEADER: ScreenHeader = {
  key: true,
  unchanged: false,
  encoding: 'h264',
  orientation: 'portrait',
  streamId: 1,
  seq: 2,
  inputSeq: 3,
  capturedAtUs: 1_767_323_045_006_007,
  width: 590,
  height: 1_280,
  leftOut: 0,
  handOverMs: 4,
};

const written = (header: ScreenHeader): Uint8Array => {
  const packet = new Uint8Array(SCREEN_HEADER_BYTES);
  writeScreenHeader(packet, header);
  return packet;
};

const u16 = fc.integer({ min: 0, max: 0xffff });
const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const anyHeader: fc.Arbitrary<ScreenHeader> = fc.record(
  {
    key: fc.boolean(),
    unchanged: fc.boolean(),
    encoding: fc.constantFrom(...SCREEN_ENCODINGS),
    orientation: fc.constantFrom(...ORIENTATIONS),
    streamId: u32,
    seq: u32,
    inputSeq: u32,
    capturedAtUs: fc.maxSafeNat(),
    width: u16,
    height: u16,
    leftOut: u16,
    handOverMs: u16,
  },
  { noNullPrototype: true },
);

t.test('any header that is written is read as the same', async (t) => {
  fc.assert(
    fc.property(anyHeader, (header) => JSON.stringify(readScreenHeader(written(header))) === JSON.stringify(header)),
  );
  t.same(readScreenHeader(written(HEADER)), HEADER);
});

t.test('an address is written over the one that is there, and changes nothing else', async () => {
  fc.assert(
    fc.property(anyHeader, anyHeader, (header, { streamId, seq, leftOut, handOverMs }) => {
      const packet = written(header);
      writeScreenAddress(new DataView(packet.buffer), { streamId, seq, leftOut, handOverMs });
      const expected = { ...header, streamId, seq, leftOut, handOverMs };
      return JSON.stringify(readScreenHeader(packet)) === JSON.stringify(expected);
    }),
  );
});

t.test('a header is written into a part of a larger buffer, and nothing beside it is touched', async (t) => {
  const buffer = new Uint8Array(SCREEN_HEADER_BYTES + 20).fill(0xee);
  writeScreenHeader(buffer.subarray(10), HEADER);
  t.ok(buffer.subarray(0, 10).every((byte) => byte === 0xee));
  t.ok(buffer.subarray(10 + SCREEN_HEADER_BYTES).every((byte) => byte === 0xee));
  t.same(readScreenHeader(buffer.subarray(10)), HEADER);
});

t.test('counts and times that do not fit stand at their largest value', async (t) => {
  t.match(readScreenHeader(written({ ...HEADER, leftOut: 70_000, handOverMs: 1e9 })), {
    leftOut: 0xffff,
    handOverMs: 0xffff,
  });
  t.match(readScreenHeader(written({ ...HEADER, leftOut: -1, handOverMs: 0.6 })), { leftOut: 0, handOverMs: 1 });
});

t.test('a packet shorter than its header, or of another kind, is no screen packet', async (t) => {
  const packet = written(HEADER);
  for (let length = 0; length < SCREEN_HEADER_BYTES; length++) {
    t.equal(readScreenHeader(packet.subarray(0, length)), undefined);
  }
  t.equal(readScreenHeader(Uint8Array.of(0x02, ...packet.subarray(1))), undefined);
});

t.test('an encoding or orientation that does not exist is refused', async (t) => {
  for (const [offset, values] of [
    [2, [0, 5, 255]],
    [3, [4, 255]],
  ] as const) {
    for (const value of values) {
      const packet = written(HEADER);
      packet[offset] = value;
      t.equal(readScreenHeader(packet), undefined, `byte ${offset} is ${value}`);
    }
  }
});

t.test('flags that are not defined yet are ignored', async (t) => {
  const packet = written(HEADER);
  packet[1] = 0xfd;
  t.same(readScreenHeader(packet), HEADER);
});

t.test('a packet is its header and then its picture', async (t) => {
  const packet = Uint8Array.of(...written(HEADER), 9, 8, 7);
  t.same(decodeServerMessage(packet), { kind: 'screen', header: HEADER, payload: Uint8Array.of(9, 8, 7) });
  t.throws(() => decodeServerMessage(packet.subarray(0, 31)), TypeError);
});

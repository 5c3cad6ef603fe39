import fc from 'fast-check';
import t from 'tap';
import {
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  LIMITS,
  type ServerMessage,
} from '../../protocol/index.ts';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';
import { bytesOf, nested } from './bytes.ts';
import { accept } from './checks.ts';
import { anyInteraction } from './requests.ts';

const reader = new ClientMessageReader();
const read = (bytes: Uint8Array) => reader.read(bytes);
const encode = encodeClientMessage;
const reasonOf = (bytes: Uint8Array): string => {
  const outcome = read(bytes);
  return outcome.kind === 'undecodable' ? outcome.reason : outcome.kind;
};
const TAP = { type: 'interaction', requestId: 'r-1', action: 'tap', x: 0.25, y: 0.75 };
const anyMessage = anyInteraction().map((body) => ({ requestId: 'r-1', ...body, type: 'interaction' }));

t.test('the server decodes the same request that a client has encoded', async () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      const outcome = read(encode(message));
      if (outcome.kind !== 'valid' || outcome.message.type !== 'interaction') return false;
      const { type: _, ...body } = message;
      return JSON.stringify(outcome.message.request) === JSON.stringify(accept(body));
    }),
    { numRuns: 1_000 },
  );
});

t.test('a Buffer as scratch memory reads the same', async () => {
  const buffered = new ClientMessageReader(Buffer.alloc(LIMITS.clientMessageBytes));
  fc.assert(
    fc.property(anyMessage, (message) => {
      const bytes = encode(message);
      return JSON.stringify(buffered.read(bytes)) === JSON.stringify(read(bytes));
    }),
  );
});

t.test('a message that was read does not change when the next one is read', async (t) => {
  const first = read(encode(TAP));
  const before = JSON.stringify(first);
  read(encode({ ...TAP, requestId: 'zzz', x: 1, y: 1 }));
  t.equal(JSON.stringify(first), before);
  const binary = read(encode({ type: 'nothing', image: new Uint8Array([1, 2, 3]) }));
  read(encode({ type: 'nothing', image: new Uint8Array([7, 7, 7]) }));
  t.same(binary.kind === 'unknown' && [...(binary.map.image as Uint8Array)], [1, 2, 3], 'bytes are copied out');
});

t.test('fields that are undefined are left out of a message', async (t) => {
  t.same(encode({ ...TAP, timeoutMs: undefined }), encode(TAP));
  t.equal(read(encode({ ...TAP, timeoutMs: undefined, nested: { a: undefined } })).kind, 'invalid');
});

t.test('a message cut off at any length is undecodable', async (t) => {
  const bytes = encode({ ...TAP, action: 'gesture', steps: [{ phase: 'begin', points: [{ x: 0.5, y: 1 }] }] });
  for (let length = 0; length < bytes.length; length++) {
    t.equal(read(bytes.subarray(0, length)).kind, 'undecodable', `${length} of ${bytes.length} bytes`);
  }
});

t.test('a message with bytes after its end is undecodable', async (t) => {
  const bytes = encode(TAP);
  t.equal(reasonOf(Uint8Array.of(...bytes, 0x00)), 'bytes follow the message');
  t.equal(reasonOf(Uint8Array.of(...bytes, ...bytes)), 'bytes follow the message');
});

t.test('a message may fill the largest size, and may not pass it', async (t) => {
  const sized = (size: number) => {
    const frame = encode({ type: 'x', fill: new Uint8Array(70_000) }).length - 70_000;
    return encode({ type: 'x', fill: new Uint8Array(size - frame) });
  };
  t.equal(sized(LIMITS.clientMessageBytes).length, LIMITS.clientMessageBytes);
  t.equal(reasonOf(sized(LIMITS.clientMessageBytes)), 'unknown');
  t.equal(reasonOf(sized(LIMITS.clientMessageBytes + 1)), 'the message is too large');
});

t.test('the longest gesture of two points fits into every bound', async (t) => {
  const steps = Array.from({ length: 1_000 }, (_, index) => ({
    phase: index === 0 ? 'begin' : index === 999 ? 'end' : 'move',
    points: [
      { x: 0.123_456_789, y: 0.987_654_321 },
      { x: 0.111_111_111, y: 0.999_999_999 },
    ],
    delayMs: index === 999 ? 0 : 60,
  }));
  const bytes = encode({
    type: 'interaction',
    requestId: 'r'.repeat(128),
    timeoutMs: 60_000,
    action: 'gesture',
    steps,
  });
  t.ok(bytes.length < LIMITS.clientMessageBytes / 2, `${bytes.length} bytes`);
  t.equal(read(bytes).kind, 'valid');
});

t.test('the longest text fits', async (t) => {
  t.equal(
    read(encode({ type: 'interaction', requestId: 'r', action: 'typeText', text: 'a'.repeat(10_000) })).kind,
    'valid',
  );
});

t.test('a repeated key is refused in every map, next to each other or apart', async (t) => {
  const repeated = 'a map key is repeated';
  t.equal(reasonOf(bytesOf(0x82, 0xa1, 'a', 0x01, 0xa1, 'a', 0x01)), repeated);
  t.equal(reasonOf(bytesOf(0x83, 0xa1, 'a', 0x01, 0xa1, 'b', 0x01, 0xa1, 'a', 0x02)), repeated);
  t.equal(reasonOf(bytesOf(0x82, 0xa1, 'a', 0x01, 0xd9, 1, 'a', 0x01)), repeated, 'written in two ways');
  t.equal(reasonOf(bytesOf(0x81, 0xa1, 'a', 0x82, 0xa1, 'b', 0xc0, 0xa1, 'b', 0xc0)), repeated, 'a map in a map');
  t.equal(reasonOf(bytesOf(0x81, 0xa1, 'a', 0x91, 0x82, 0xa1, 'b', 0xc0, 0xa1, 'b', 0xc0)), repeated, 'in a list');
  t.equal(
    reasonOf(bytesOf(0x82, 0xa1, 'a', 0x82, 0xa1, 'b', 0, 0xa1, 'c', 0, 0xa1, 'a', 0)),
    repeated,
    'hiding others',
  );
  t.equal(reasonOf(bytesOf(0x82, 0xa1, 'a', 0x81, 0xa1, 'a', 0xc0, 0xa1, 'b', 0xc0)), 'invalid', 'in two maps');
});

t.test('any map with one of its keys repeated is refused', async () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[a-z0-9]{1,12}$/), { minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(keys, fc.nat(), fc.nat(), (names, from, to) => {
      const list = [...names];
      list.splice(to % (names.length + 1), 0, names[from % names.length] ?? '');
      const fields = list.flatMap((name) => [0xa0 | name.length, name, 0xc0]);
      return reasonOf(bytesOf(0xde, 0, list.length, ...fields)) === 'a map key is repeated';
    }),
    { numRuns: 500 },
  );
});

t.test('names of the object prototype are ordinary unknown fields', async (t) => {
  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__']) {
    const outcome = read(encode({ ...TAP, [name]: { polluted: true } }));
    t.match(outcome, { kind: 'invalid', fault: { path: name } });
  }
  t.notOk('polluted' in {});
});

t.test('a "__proto__" key is undecodable, at the top and below', async (t) => {
  const own = (value: unknown): Record<string, unknown> =>
    Object.defineProperty({}, '__proto__', { value, enumerable: true });
  t.match(reasonOf(encode({ ...TAP, ...own(1) })), /__proto__/);
  t.match(reasonOf(encode({ ...TAP, deep: [own({ polluted: true })] })), /__proto__/);
  t.notOk('polluted' in {});
});

t.test('extension types are undecodable, whatever msgpackr makes of them', async (t) => {
  for (const type of [0x00, 0x62, 0x65, 0x69, 0x70, 0x72, 0x73, 0x74, 0x78, 0xff]) {
    t.equal(reasonOf(bytesOf(0x81, 0xa1, 'a', 0xd4, type, 0x01)), 'a value is of an extension type');
    t.equal(reasonOf(bytesOf(0x81, 0xa1, 'a', 0xc7, 1, type, 0x01)), 'a value is of an extension type');
  }
});

t.test('small integers that msgpackr uses for records are integers here', async (t) => {
  for (let value = 0x20; value < 0x80; value++) {
    t.match(read(bytesOf(0x82, 0xa4, 'type', 0xa4, 'ping', 0xa2, 'id', value)), {
      message: { type: 'ping', id: value },
    });
  }
});

t.test('integers that arrive as floats or as 64 bits are integers', async (t) => {
  const id = (...value: number[]) => read(bytesOf(0x82, 0xa4, 'type', 0xa4, 'ping', 0xa2, 'id', value));
  t.match(id(0xcb, 0x40, 0x1c, 0, 0, 0, 0, 0, 0), { message: { id: 7 } });
  t.match(id(0xca, 0x40, 0xe0, 0, 0), { message: { id: 7 } });
  t.match(id(0xcf, 0, 0, 0, 0, 0, 0, 0, 7), { message: { id: 7 } });
  t.match(id(0xd3, 0, 0x1f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), { message: { id: Number.MAX_SAFE_INTEGER } });
  t.match(id(0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0), { kind: 'invalid', fault: { path: 'id' } }, 'NaN');
  t.match(id(0xcb, 0x7f, 0xf0, 0, 0, 0, 0, 0, 0), { kind: 'invalid', fault: { path: 'id' } }, 'Infinity');
});

t.test('any bytes are answered without throwing', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof read(bytes).kind === 'string'),
    { numRuns: 5_000 },
  );
});

t.test('any bytes that begin like a map are answered without throwing', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0x80, max: 0x8f }), fc.uint8Array({ maxLength: 300 }), (first, rest) => {
      return typeof read(Uint8Array.of(first, ...rest)).kind === 'string';
    }),
    { numRuns: 5_000 },
  );
});

t.test('valid messages with bytes changed, inserted or removed are answered without throwing', async () => {
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }) });
  fc.assert(
    fc.property(anyMessage, fc.array(edit, { minLength: 1, maxLength: 4 }), (message, edits) => {
      const bytes = [...encode(message)];
      for (const { at, remove, insert } of edits) bytes.splice(at % bytes.length, remove, ...insert);
      return typeof read(Uint8Array.from(bytes.length === 0 ? [0] : bytes)).kind === 'string';
    }),
    { numRuns: 5_000 },
  );
});

t.test('a hostile message costs no more than a few times what the longest valid one costs', async (t) => {
  const half = LIMITS.clientMessageBytes / 2;
  const accents = bytesOf(0x81, 0xa1, 'a', 0xdb, 0, 1, 0x86, 0xa0, Array<number[]>(50_000).fill([0xc3, 0xa9]).flat());
  const texts = Array.from({ length: 16_000 }, () => [0xa2, 0xc3, 0xa9]).flat();
  const keys = Array.from({ length: 8_000 }, (_, index) => [
    0xa4,
    ...new TextEncoder().encode(`${index + 1_000}`),
    0xc0,
  ]);
  const hostile: Readonly<Record<string, Uint8Array>> = {
    accents,
    'many accents': bytesOf(0x81, 0xa1, 'a', 0xdc, 16_000 >> 8, 16_000 & 0xff, texts),
    'many unknown fields': bytesOf(0xde, 8_000 >> 8, 8_000 & 0xff, keys.flat()),
    'deep nesting': nested(half / 3, 'map'),
    'random bytes': Uint8Array.from({ length: half }, (_, index) => (index * 7_919) & 0xff),
    'a long text': encode({ ...TAP, action: 'typeText', text: 'a'.repeat(half) }),
  };
  const valid = encode({
    type: 'interaction',
    requestId: 'r',
    action: 'gesture',
    steps: Array.from({ length: 1_000 }, (_, index) => ({
      phase: index === 0 ? 'begin' : index === 999 ? 'end' : 'move',
      points: [
        { x: 0.1, y: 0.2 },
        { x: 0.3, y: 0.4 },
      ],
    })),
  });
  const fastest = (bytes: Uint8Array): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 20; round++) {
      const start = performance.now();
      read(bytes);
      best = Math.min(best, performance.now() - start);
    }
    return best;
  };
  const reference = fastest(valid);
  for (const [name, bytes] of Object.entries(hostile)) {
    const ratio = fastest(bytes) / reference;
    t.ok(ratio < 20, `${name}: ${ratio.toFixed(2)} times`);
  }
});

t.test('a client decodes the same message that the server has encoded', async (t) => {
  const messages: readonly ServerMessage[] = [
    { type: 'accepted', requestId: 'r', acceptedAt: '2026-01-02T03:04:05.006Z', queued: 0 },
    { type: 'dispatched', requestId: 'r', inputSeq: 4_294_967_295, steps: 3 },
    { type: 'pong', id: 0, serverTimeUs: 1_767_323_045_006_007 },
    { type: 'event', event: 'session.expiring', inMs: 60_000 },
  ];
  for (const message of messages) {
    t.same(decodeServerMessage(encodeServerMessage(message)), { kind: 'message', message });
  }
});

t.test('a PNG within a result arrives byte for byte', async (t) => {
  const image = Uint8Array.from({ length: 1_000 }, (_, index) => index & 0xff);
  const sent = {
    type: 'result',
    ok: true,
    requestId: 'r',
    status: 'completed',
    acceptedAt: '2026-01-02T03:04:05.006Z',
    completedAt: '2026-01-02T03:04:05.006Z',
    durationMs: 0,
    result: { image },
  } as const;
  const got = decodeServerMessage(encodeServerMessage(sent));
  const received = got.kind === 'message' && got.message.type === 'result' ? got.message.result?.image : undefined;
  t.ok(received instanceof Uint8Array && Buffer.from(received).equals(image));
});

t.test('bytes that no server sends are a TypeError, and nothing of them is quoted', async (t) => {
  const cases = [[], [0x01], [0xa1, 0x61], [0x90], [0xc0], [0x81], [0x81, 0xa1, 0x61, 0xc0], [0x80, 0x80], [0xc1]];
  for (const bytes of cases) t.throws(() => decodeServerMessage(Uint8Array.from(bytes)), TypeError);
  t.throws(() => decodeServerMessage(bytesOf(0xa1, 'x', 0xa6, 'secret')), { message: /^(?!.*secret)/ });
});

t.test('every message begins with a byte that tells it from a screen packet', async (t) => {
  for (const count of [1, 15, 16, 40]) {
    const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
    const first = encode(fields)[0] ?? 0;
    t.ok((first >= 0x80 && first <= 0x8f) || first === 0xde || first === 0xdf, `${count} fields`);
  }
});

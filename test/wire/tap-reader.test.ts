import { encodeClientMessage, LIMITS } from '@runcloud/protocol';
import fc from 'fast-check';
import { Unpackr } from 'msgpackr';
import t from 'tap';
import { checkClientMessage } from '../../protocol/messages/client.ts';
import { scanMessage } from '../../server/wire/message-scan.ts';
import { TapReader } from '../../server/wire/tap-reader.ts';

const scratch = new Uint8Array(LIMITS.clientMessageBytes);
const reader = new TapReader(scratch);
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: 'number' });

function read(bytes: Uint8Array) {
  scratch.set(bytes);
  return reader.read(bytes.length);
}

/** Reads the same bytes with the general reader; `undefined` for bytes that it refuses, also for repeated keys. */
function readGenerally(bytes: Uint8Array) {
  const scan = scanMessage(bytes, bytes.length);
  if (!scan.ok) return undefined;
  const map = unpackr.unpack(bytes) as Record<string, unknown>;
  if (Object.keys(map).length !== (bytes[0] ?? 0) - 0x80) return undefined;
  const check = checkClientMessage(map);
  return check.kind === 'valid' ? check.message : undefined;
}

const TAP = { type: 'interaction', requestId: 'r-1', action: 'tap', x: 0.25, y: 0.75 };

t.test('a tap is read as the general reader reads it, with every form of its fields', (t) => {
  const taps = [
    TAP,
    { ...TAP, acks: 'final' },
    { ...TAP, acks: 'all' },
    { ...TAP, x: 0, y: 1 },
    { ...TAP, x: 1 / 3, y: 5e-324 },
    { ...TAP, x: -0 },
    ...[100, 127, 128, 255, 256, 60_000].map((timeoutMs) => ({ ...TAP, timeoutMs })),
    ...['r', 'a'.repeat(31), 'a'.repeat(32), 'AZaz09._:-', 'z'.repeat(128)].map((requestId) => ({ ...TAP, requestId })),
    { y: 0.5, acks: 'final', action: 'tap', timeoutMs: 200, x: 0.5, requestId: 'r', type: 'interaction' },
  ];
  for (const tap of taps) {
    const bytes = encodeClientMessage(tap);
    const message = read(bytes);
    t.ok(message, JSON.stringify(tap));
    t.strictSame(message, readGenerally(bytes));
    t.equal(JSON.stringify(message), JSON.stringify(readGenerally(bytes)), 'with its fields in the same order');
  }
  const { request } = read(encodeClientMessage({ ...TAP, x: -0 })) ?? {};
  t.ok(request?.action === 'tap' && Object.is(request.x, 0), 'negative zero is zero');
  t.end();
});

t.test('everything else is left to the general reader', (t) => {
  const { type: _, ...untyped } = TAP;
  const others: Record<string, unknown>[] = [
    untyped,
    ...['requestId', 'action', 'x', 'y'].map((field) => ({ ...TAP, [field]: undefined })),
    { ...TAP, type: 'pointer' },
    { ...TAP, action: 'reload' },
    { ...TAP, more: 1 },
    { ...TAP, x: 1.0000000000000002 },
    { ...TAP, x: -5e-324 },
    { ...TAP, y: 2 },
    { ...TAP, y: '0.5' },
    { ...TAP, x: null },
    { ...TAP, acks: 'none' },
    { ...TAP, acks: null },
    ...[99, 60_001, 0, -1, 70_000, 100.5, '100'].map((timeoutMs) => ({ ...TAP, timeoutMs })),
    ...['', 'a'.repeat(129), 'a b', 'ä', 7].map((requestId) => ({ ...TAP, requestId })),
  ];
  for (const other of others) t.equal(read(encodeClientMessage(other)), undefined, JSON.stringify(other));
  for (const bytes of [[], [0x80], [0xc0], [0xde, 0, 0], [1, 2, 3]]) t.equal(read(Uint8Array.from(bytes)), undefined);
  t.equal(read(new Uint8Array(Float64Array.of(Number.NaN, 1).buffer)), undefined);
  t.end();
});

t.test('a tap with a repeated field is never taken, whatever the repeated values are', (t) => {
  const half = [...encodeClientMessage({ x: 0.5 })].slice(1);
  const bytes = encodeClientMessage(TAP);
  for (const value of [half.slice(2), [0], [0xcb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0], [0xc0], [0xca, 0, 0, 0, 0]]) {
    const repeated = [0x80 + 6, 0xa1, 0x78, ...value, ...bytes.subarray(1)];
    t.equal(read(Uint8Array.from(repeated)), undefined);
  }
  for (const field of [{ requestId: 'r-1' }, { type: 'interaction' }, { action: 'tap' }, { y: 0.75 }]) {
    const again = encodeClientMessage(field).subarray(1);
    t.equal(read(Uint8Array.from([0x86, ...bytes.subarray(1), ...again])), undefined);
  }
  for (const field of [{ acks: 'all' }, { timeoutMs: 100 }]) {
    const once = encodeClientMessage(field).subarray(1);
    t.ok(read(Uint8Array.from([0x86, ...bytes.subarray(1), ...once])));
    t.equal(read(Uint8Array.from([0x87, ...bytes.subarray(1), ...once, ...once])), undefined);
  }
  t.end();
});

t.test('no message ends in what an earlier one left behind, nor begins before more bytes', (t) => {
  const bytes = encodeClientMessage({ ...TAP, acks: 'final', timeoutMs: 1_000 });
  t.ok(read(bytes));
  for (let length = 0; length < bytes.length; length++) t.equal(reader.read(length), undefined, `${length} bytes`);
  t.equal(read(Uint8Array.from([...bytes, 0xc0])), undefined);
  t.end();
});

t.test('of the changed bytes of a tap, it takes only what the general reader takes', (t) => {
  const fields = fc.record({
    type: fc.constant('interaction'),
    requestId: fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/),
    action: fc.constant('tap'),
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
    acks: fc.constantFrom('all', 'final', undefined),
    timeoutMs: fc.option(fc.integer({ min: 100, max: 60_000 }), { nil: undefined }),
  });
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 3 });
  let taken = 0;
  const property = fc.property(fields, changes, fc.nat({ max: 3 }), (map, edits, cut) => {
    const bytes = encodeClientMessage(map).slice();
    for (const [place, byte] of edits) bytes[place % bytes.length] = byte;
    const part = edits.length > 1 ? bytes.subarray(0, bytes.length - cut) : bytes;
    const message = read(part);
    if (!message) {
      if (edits.length === 0) throw new Error('a whole tap is left');
      return;
    }
    taken++;
    if (JSON.stringify(message) !== JSON.stringify(readGenerally(part))) throw new Error(JSON.stringify(message));
  });
  t.doesNotThrow(() => fc.assert(property, { numRuns: 3_000, interruptAfterTimeLimit: 10_000 }));
  t.ok(taken > 100, `${taken} taken`);
  t.end();
});

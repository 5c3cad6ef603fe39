import t from 'tap';
import { LIMITS } from '../../protocol/limits.ts';
import { scanMessage } from '../../server/wire/message-scan.ts';
import { bytesOf, nested } from '../protocol/bytes.ts';

const reasonOf = (...parts: (number | string | readonly number[])[]): string => {
  const bytes = bytesOf(...parts);
  const scan = scanMessage(bytes, bytes.length);
  return scan.ok ? 'ok' : scan.reason;
};
/** A map of one field `a` with the given value. */
const field = (...value: (number | string | readonly number[])[]): string => reasonOf(0x81, 0xa1, 'a', ...value);
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

t.test('every value that plain MessagePack has is passed', async (t) => {
  const values: readonly (readonly [string, readonly number[]])[] = [
    ['small integers', [0x00]],
    ['the largest small integer', [0x7f]],
    ['negative small integers', [0xe0]],
    ['nil', [0xc0]],
    ['false', [0xc2]],
    ['true', [0xc3]],
    ['an empty map', [0x80]],
    ['an empty list', [0x90]],
    ['an empty string', [0xa0]],
    ['bin 8', [0xc4, 1, 0xff]],
    ['bin 16', [0xc5, 0, 1, 0xff]],
    ['bin 32', [0xc6, 0, 0, 0, 1, 0xff]],
    ['float 32', [0xca, ...zeros(4)]],
    ['float 64', [0xcb, ...zeros(8)]],
    ['uint 8', [0xcc, 0xff]],
    ['uint 16', [0xcd, 0xff, 0xff]],
    ['uint 32', [0xce, 0xff, 0xff, 0xff, 0xff]],
    ['uint 64', [0xcf, ...zeros(8)]],
    ['int 8', [0xd0, 0x80]],
    ['int 16', [0xd1, 0x80, 0]],
    ['int 32', [0xd2, 0x80, 0, 0, 0]],
    ['int 64', [0xd3, ...zeros(8)]],
    ['str 8', [0xd9, 1, 0x61]],
    ['str 16', [0xda, 0, 1, 0x61]],
    ['str 32', [0xdb, 0, 0, 0, 1, 0x61]],
    ['array 16', [0xdc, 0, 1, 0xc0]],
    ['array 32', [0xdd, 0, 0, 0, 1, 0xc0]],
    ['map 16', [0xde, 0, 1, 0xa1, 0x61, 0xc0]],
    ['map 32', [0xdf, 0, 0, 0, 1, 0xa1, 0x61, 0xc0]],
  ];
  for (const [name, value] of values) t.equal(field(value), 'ok', name);
});

t.test('every first byte is either passed or refused as the format says', async (t) => {
  const extensions = [0xc1, 0xc7, 0xc8, 0xc9, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8];
  for (let first = 0; first < 256; first++) {
    const reason = field(first, zeros(64));
    t.equal(reason === 'a value is of an extension type', extensions.includes(first), `0x${first.toString(16)}`);
  }
});

t.test('the message itself is a map', async (t) => {
  t.equal(reasonOf(0x80), 'ok');
  for (const first of [0x00, 0x7f, 0x90, 0xa0, 0xc0, 0xc1, 0xc3, 0xc4, 0xcb, 0xd9, 0xdc, 0xff]) {
    t.equal(reasonOf(first, zeros(20)), 'the message is not a map', `0x${first.toString(16)}`);
  }
  t.equal(scanMessage(new Uint8Array(), 0).ok, false);
});

t.test('a key is a string of 1 to 64 bytes', async (t) => {
  const key = (count: number) => reasonOf(0x81, 0xd9, count, 'k'.repeat(count), 0xc0);
  t.equal(key(1), 'ok');
  t.equal(key(64), 'ok');
  t.equal(key(0), 'a map key is empty or too long');
  t.equal(key(65), 'a map key is empty or too long');
  const others: readonly (readonly number[])[] = [
    [0x01],
    [0xc0],
    [0xc3],
    [0x90],
    [0x80],
    [0xc4, 1, 0x61],
    [0xcb, ...zeros(8)],
  ];
  for (const other of others) t.equal(reasonOf(0x81, other, 0xc0), 'a map key is not a string');
});

t.test('a key at any place of any map is looked at', async (t) => {
  t.equal(reasonOf(0x82, 0xa1, 'a', 0x01, 0x02, 0x03), 'a map key is not a string');
  t.equal(field(0x82, 0xa1, 'b', 0xc0, 0x05, 0xc0), 'a map key is not a string');
  t.equal(field(0x92, 0x01, 0x81, 0x05, 0xc0), 'a map key is not a string');
  t.equal(field(0x93, 0x01, 0x02, 0x03), 'ok', 'items of a list are no keys');
});

t.test('the key "__proto__" is refused everywhere, and is an ordinary text elsewhere', async (t) => {
  const proto = [0xa9, ...new TextEncoder().encode('__proto__')];
  t.match(reasonOf(0x81, proto, 0xc0), /__proto__/);
  t.match(field(0x91, 0x81, proto, 0xc0), /__proto__/);
  t.match(reasonOf(0x81, 0xd9, 9, '__proto__', 0xc0), /__proto__/);
  t.equal(field(proto), 'ok');
  t.equal(reasonOf(0x81, 0xa9, '__proto_x', 0xc0), 'ok');
});

t.test('nesting is at most 8 levels deep', async (t) => {
  for (const kind of ['list', 'map'] as const) {
    const at = (depth: number) => scanMessage(nested(depth, kind), nested(depth, kind).length);
    t.match(at(8), { ok: true }, kind);
    t.match(at(9), { ok: false, reason: 'the message is nested too deeply' }, kind);
    t.match(at(100_000), { ok: false, reason: 'the message is nested too deeply' }, kind);
  }
});

t.test('a message has at most 16,384 entries in all', async (t) => {
  const list = (count: number) => field(0xdc, count >> 8, count & 0xff, zeros(count));
  t.equal(list(16_383), 'ok', 'one is the field that holds the list');
  t.equal(list(16_384), 'the message has too many entries');
});

t.test('a length beyond the message costs nothing', async (t) => {
  const huge = [0xff, 0xff, 0xff, 0xff];
  t.equal(field(0xdb, huge), 'the message ends too early', 'string');
  t.equal(field(0xc6, huge), 'the message ends too early', 'binary');
  t.equal(field(0xdd, huge), 'the message has too many entries', 'list');
  t.equal(field(0xdf, huge), 'the message has too many entries', 'map');
  t.equal(reasonOf(0xdf, huge), 'the message has too many entries');
  t.equal(reasonOf(0xde, 0x40, 0x00), 'the message ends too early', 'within the bound, but not there');
});

t.test('integers of 64 bits are within the range that a double holds exactly', async (t) => {
  const int64 = (first: number, value: bigint): string => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt.asUintN(64, value));
    return field(first, [...new Uint8Array(view.buffer)]);
  };
  const limit = 2n ** 53n;
  for (const value of [0n, 1n, limit - 1n]) {
    t.equal(int64(0xcf, value), 'ok', `${value}`);
    t.equal(int64(0xd3, value), 'ok', `${value}`);
    t.equal(int64(0xd3, -value), 'ok', `${-value}`);
  }
  for (const value of [limit, limit + 1n, 2n ** 63n - 1n]) {
    t.equal(int64(0xcf, value), 'an integer is beyond 2^53 - 1', `${value}`);
    t.equal(int64(0xd3, value), 'an integer is beyond 2^53 - 1', `${value}`);
    t.equal(int64(0xd3, -value), 'an integer is beyond 2^53 - 1', `${-value}`);
  }
  t.equal(int64(0xcf, 2n ** 64n - 1n), 'an integer is beyond 2^53 - 1');
});

t.test('every string is UTF-8, keys included', async (t) => {
  t.equal(field(0xa2, [0xc3, 0xa9]), 'ok');
  t.equal(reasonOf(0x81, 0xa2, [0xc3, 0xa9], 0xc0), 'ok');
  for (const bad of [[0x80], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff]]) {
    t.equal(field(0xa0 | bad.length, bad), 'a string is not UTF-8');
    t.equal(reasonOf(0x81, 0xa0 | bad.length, bad, 0xc0), 'a string is not UTF-8');
  }
  t.equal(field(0xc4, 1, [0xff]), 'ok', 'binary may be anything');
});

t.test('a string that ends within a character is not completed by what follows it', async (t) => {
  t.equal(reasonOf(0x82, 0xa1, 'a', 0xa1, [0xc3], 0xa1, 'b', 0xc0), 'a string is not UTF-8');
});

t.test('bytes after the message are refused', async (t) => {
  t.equal(reasonOf(0x80, 0x00), 'bytes follow the message');
  t.equal(field(0xc0, 0xc0), 'bytes follow the message');
});

t.test('only the given length is looked at', async (t) => {
  t.match(scanMessage(bytesOf(0x80, 0xff, 0xff), 1), { ok: true, mapEntries: 0 });
  t.match(scanMessage(bytesOf(0x81, 0xa1, 'a', 0xc0), 3), { ok: false, reason: 'the message ends too early' });
});

t.test('the fields of all maps are counted, repeated ones included', async (t) => {
  const bytes = bytesOf(0x82, 0xa1, 'a', 0xc0, 0xa1, 'a', 0x92, 0x81, 0xa1, 'b', 0xc0, 0x80);
  t.match(scanMessage(bytes, bytes.length), { ok: true, mapEntries: 3 });
});

t.test('a refused message leaves nothing behind for the next one', async (t) => {
  t.match(scanMessage(nested(9, 'map'), nested(9, 'map').length), { ok: false });
  t.equal(field(0x91, 0x01), 'ok');
});

t.test('a message has at most as many keys that no message has as the limit says, in all of its maps', async (t) => {
  const max = LIMITS.clientUnknownKeys;
  /** A list of `count` maps of one field each. */
  const maps = (count: number, key: (index: number) => string) => {
    const parts = Array.from({ length: count }, (_, index) => [0x81, 0xa3, key(index), 0] as const).flat();
    return field([0xdc, count >> 8, count & 255], ...parts);
  };
  const unknown = (index: number) => `k${10 + index}`;
  // The field that holds them is not known either.
  t.equal(maps(max - 1, unknown), 'ok');
  t.equal(maps(max, unknown), 'the message has too many keys that no message has');
  t.equal(
    maps(max * 9, () => 'seq'),
    'ok',
    'fields that messages have count not',
  );
});

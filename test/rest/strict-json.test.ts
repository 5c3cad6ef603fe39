import { LIMITS } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import t from 'tap';
import { readJson } from '../../server/rest/strict-json.ts';

const read = (text: string) => readJson(Buffer.from(text));

function reasonOf(text: string | Uint8Array): string {
  const outcome = readJson(typeof text === 'string' ? Buffer.from(text) : text);
  return outcome.ok ? 'it was accepted' : outcome.reason;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

t.test('a text that JSON.stringify writes is read as JSON.parse reads it', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      const outcome = read(text);
      fc.pre(depthOf(value) <= LIMITS.clientMessageDepth);
      t.ok(outcome.ok);
      return outcome.ok && JSON.stringify(outcome.value) === text;
    }),
  );
});

t.test('a text that JSON.parse refuses is refused', async () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    'null',
    ' ',
    '\n',
    "'a'",
    '0x1',
    'NaN',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      let valid = true;
      try {
        JSON.parse(text);
      } catch {
        valid = false;
      }
      // Valid JSON may still be refused, for a repeated key.
      return valid || !read(text).ok;
    }),
    { numRuns: 2_000 },
  );
});

t.test('a key that comes twice in one object is refused wherever it is and however it is written', async (t) => {
  const twice = [
    '{"a":1,"a":1}',
    '{"a":{"b":1,"b":2}}',
    '[{"a":1},{"b":1,"b":1}]',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
  ];
  const special = ['{"__proto__":1,"__proto__":2}', '{"a:b":1,"a:b":2}', '{"a\\"b":1,"a\\"b":2}', '{"1":0,"1":0}'];
  for (const text of [...twice, ...special]) t.match(reasonOf(text), /key twice/, text);
});

t.test('the same key in different objects, and colons in strings, are no repetition', async (t) => {
  const fine = [
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"b:c:d"}',
    '{"a\\":":1}',
    '{"a":"\\\\"}',
    '{"__proto__":1}',
  ];
  for (const text of fine) t.ok(read(text).ok, text);
});

t.test('repeating any key of any object makes a body refused', async () => {
  const objects = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { minKeys: 1, maxKeys: 5 });
  fc.assert(
    fc.property(objects, fc.nat(), (object, pick) => {
      const keys = Object.keys(object);
      const again = JSON.stringify(keys[pick % keys.length]);
      return !read(`${JSON.stringify(object).slice(0, -1)},${again}:0}`).ok;
    }),
  );
});

t.test('a body may nest as deep as the limit and not one level deeper, brackets in strings not counted', async (t) => {
  const max = LIMITS.clientMessageDepth;
  t.ok(read('['.repeat(max) + ']'.repeat(max)).ok);
  t.ok(read(`${'{"a":'.repeat(max)}1${'}'.repeat(max)}`).ok);
  t.match(reasonOf('['.repeat(max + 1) + ']'.repeat(max + 1)), /deeper than 8/);
  t.match(reasonOf('['.repeat(100_000)), /deeper than 8/);
  t.ok(read(`["${'['.repeat(100)}"]`).ok);
  t.ok(read(`[${'[],'.repeat(50)}[]]`).ok, 'width is not depth');
});

t.test('a body has at most as many entries as a message of the control socket', async (t) => {
  const entries = LIMITS.clientMessageEntries;
  const list = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`;
  t.ok(read(list(entries)).ok);
  t.match(reasonOf(list(entries + 1)), /more than 16384 entries/);
  const points = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({ x: 0 })));
  t.ok(read(points(entries / 2)).ok);
  t.match(reasonOf(points(entries / 2 + 1)), /more than 16384 entries/);
  t.match(reasonOf(`[${'[],'.repeat(entries)}[]]`), /more than 16384 entries/);
  t.match(reasonOf(`[${'[[[]]],'.repeat(entries / 2)}[]]`), /more than 16384 entries/);
});

t.test('a body may have some fields that nothing knows, which are refused by name, and not thousands', async (t) => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
  const max = LIMITS.clientUnknownKeys;
  t.ok(read(JSON.stringify(unknown(max))).ok);
  t.match(reasonOf(JSON.stringify(unknown(max + 1))), /more than 64 fields that are not known/);
  const spread = Array.from({ length: max + 1 }, (_, index) => ({ [`k${index}`]: 0 }));
  t.match(reasonOf(JSON.stringify(spread)), /more than 64 fields/, 'in whichever objects they are');
  t.ok(read(JSON.stringify(Array.from({ length: max * 9 }, () => ({ x: 0 })))).ok, 'fields that are known count not');
});

t.test('bytes that are not UTF-8 are refused, also when a character is cut off at the end', async (t) => {
  const bad = [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0x80]];
  for (const bytes of bad)
    t.match(reasonOf(Buffer.from([0x22, ...bytes, 0x22])), /not UTF-8/, Buffer.from(bytes).toString('hex'));
  const whole = Buffer.from('"€😀"');
  t.ok(readJson(whole).ok);
  for (const cut of [2, 3, 5, 6, 7]) t.match(reasonOf(whole.subarray(0, cut)), /not UTF-8/, `cut at ${cut}`);
});

t.test('an empty body, a byte order mark and text after the value are refused in words of their own', async (t) => {
  t.match(reasonOf(''), /empty/);
  t.match(reasonOf('\ufeff{}'), /not JSON/);
  for (const text of ['{} {}', '{}x', '{"a":1,}', '[1,]', '// c\n{}', "{'a':1}", '{a:1}', '01', '"\n"'])
    t.match(reasonOf(text), /not JSON/, text);
});

t.test('no bytes at all make it throw', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const outcome = readJson(bytes);
      return outcome.ok || outcome.reason.length > 0;
    }),
  );
  t.pass('none did');
});

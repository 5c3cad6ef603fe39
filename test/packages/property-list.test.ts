import { isDeepStrictEqual } from 'node:util';
import createBinary from 'bplist-creator';
import { parseBuffer } from 'bplist-parser';
import fc from 'fast-check';
import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { type PlistValue, readPropertyList } from '../../server/packages/property-list.ts';
import { xmlPlist } from '../support/ios-package.ts';

const read = (bytes: Buffer | string) => readPropertyList(Buffer.from(bytes), 'Info.plist');

/** Maps as plain objects, to compare. */
function plain(value: PlistValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

const sample = {
  text: 'plain',
  long: 'x'.repeat(70_000),
  unicode: 'Grüße 日本 🎉',
  number: 7,
  large: 70_000,
  yes: true,
  no: false,
  list: ['a', ['b', { c: 'd' }], ...Array.from({ length: 300 }, (_, index) => `item ${index}`)],
  empty: {},
};

t.test('a property list says the same in XML and in binary form', async (t) => {
  t.strictSame(plain(read(xmlPlist(sample))), sample);
  t.strictSame(plain(read(createBinary(sample))), sample);
});

t.test('binary lists of all kinds are read as an independent reader reads them', async (t) => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.string({ unit: 'grapheme' }), fc.nat(), fc.boolean(), tie('list'), tie('map')),
    list: fc.array(tie('any'), { maxLength: 20 }),
    map: fc.dictionary(
      fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
      tie('any'),
      { maxKeys: 10 },
    ),
  }));
  fc.assert(
    fc.property(value.map, (map) => {
      const bytes = createBinary(map as Record<string, unknown>);
      // Not by the runner's own comparison, which tells equal lists apart when only one of them is shared.
      t.ok(isDeepStrictEqual(plain(readPropertyList(bytes, 'x')), { ...(parseBuffer(bytes) as object[])[0] }));
    }),
    { numRuns: 200 },
  );
});

t.test('values of no use are left out, and a key may be named like a property of objects', async (t) => {
  const list = { when: new Date(0), data: Buffer.from('x'), constructor: 'c', toString: 't' };
  for (const bytes of [Buffer.from(xmlPlist(list)), createBinary(list)]) {
    const found = readPropertyList(bytes, 'x');
    t.equal(found.get('constructor'), 'c');
    t.equal(found.get('toString'), 't');
    t.equal(found.get('when'), undefined);
    t.equal(found.get('hasOwnProperty'), undefined);
  }
});

const XML = '<?xml version="1.0"?>\n';
const nested = (depth: number) => `${XML}<plist>${'<array>'.repeat(depth)}${'</array>'.repeat(depth)}</plist>`;
const REFUSED: readonly (readonly [what: string, bytes: Buffer | string, why: RegExp])[] = [
  ['nothing', '', /neither a binary nor/],
  ['a list instead of a dictionary', xmlPlist(['a']), /no dictionary/],
  ['a text that is no XML', '{ a = b; }', /neither a binary nor/],
  ['no UTF-8', Buffer.from([0x3c, 0xff, 0xfe]), /neither a binary nor/],
  ['half a document', xmlPlist(sample).slice(0, 200), /not a valid XML/],
  ['another document', `${XML}<html/>`, /not a valid XML/],
  [
    'a billion laughs',
    `${XML}<!DOCTYPE p [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><plist><dict><key>k</key><string>&b;</string></dict></plist>`,
    /declares entities/,
  ],
  [
    'an entity of a file',
    `${XML}<!DOCTYPE p SYSTEM "x" [ <!ENTITY f SYSTEM "file:///etc/passwd"> ]><plist/>`,
    /entities/,
  ],
  ['deep nesting', nested(40), /nested deeper than 32/],
  ['very deep nesting', nested(100_000), /nested deeper than 32/],
  ['many tags', `${XML}<plist><array>${'<true/>'.repeat(100_001)}</array></plist>`, /more than 100000 tags/],
  ['a binary list that ends early', createBinary(sample).subarray(0, 30), /no whole binary property list/],
  [
    'a binary list whose trailer is gone',
    createBinary(sample).subarray(0, -40),
    /not a valid property list|no dictionary/,
  ],
];
for (const [what, bytes, why] of REFUSED) {
  t.test(`it refuses ${what}`, async (t) => {
    t.throws(() => read(bytes), { message: why });
    t.throws(() => read(bytes), PackageFault);
  });
}

t.test('comments, quotes and what is no markup hide no depth', async (t) => {
  const hiding = (hidden: string) => `${XML}<plist>${`<array>${hidden}`.repeat(40)}${'</array>'.repeat(40)}</plist>`;
  for (const hidden of ['<!--</array>-->', '<![CDATA[</array>]]>', '<?x </array>?>', '<string a="></array>"/>']) {
    t.throws(() => read(hiding(hidden)), { message: /nested deeper than 32|a tag that is none/ }, hidden);
  }
  const sound = '<plist><dict><key>a</key><!-- <array> & --><string a="1" b=\'2\'>&lt;&#x41;</string></dict></plist>';
  t.equal(read(`${XML}${sound}`).get('a'), '<A');
});

t.test('an unclosed list takes no more work than a complete list of the same length', async (t) => {
  const length = 2 ** 21;
  const timed = (text: string): number => {
    const startMs = performance.now();
    try {
      read(text);
    } catch (error) {
      t.ok(error instanceof PackageFault);
    }
    return performance.now() - startMs;
  };
  const entry = '<key>key</key><string>text of a list that is read as a whole</string>';
  const sound = `${XML}<plist><dict>${entry.repeat(length / entry.length)}</dict></plist>`;
  const soundMs = Math.max(timed(sound), timed(sound));
  for (const part of ['<a', '<!DOCTYPE', '<!DOCTYPE a', '<!--', '<![CDATA[', '<?', '&', '<a b="', '<!']) {
    const unclosed = XML + part.repeat(length / part.length);
    // The quicker of two: a moment of the machine is not the reader's work.
    const ms = Math.min(timed(unclosed), timed(unclosed));
    t.ok(ms < soundMs, `${part}: ${ms.toFixed(1)} ms, a sound list ${soundMs.toFixed(1)} ms`);
  }
});

/** A binary list of these objects, the first on top; references and offsets have one byte each. */
function binary(objects: readonly (readonly number[])[]): Buffer {
  const parts: number[] = [...Buffer.from('bplist00')];
  const offsets = objects.map((object) => {
    const at = parts.length;
    parts.push(...object);
    return at;
  });
  const trailer = Buffer.alloc(32);
  trailer[6] = 1;
  trailer[7] = 1;
  trailer.writeBigUInt64BE(BigInt(objects.length), 8);
  trailer.writeBigUInt64BE(BigInt(parts.length), 24);
  return Buffer.concat([Buffer.from(parts), Buffer.from(offsets), trailer]);
}

t.test('a binary list that holds itself, or doubles at each level, comes to an end', async (t) => {
  t.throws(() => read(binary([[0xa1, 0]])), { message: /nested deeper than 32/ });
  const doubling = Array.from({ length: 30 }, (_, level) => [0xa2, level + 1, level + 1]);
  t.throws(() => read(binary([...doubling, [0x09]])), { message: /more than 100000 values/ });
  t.throws(() => read(binary([[0xd1, 0, 0]])), { message: /nested deeper/ });
});

t.test('counts, offsets and references that lead outside are refused', async (t) => {
  const text = (...bytes: number[]) => binary([[0xd1, 1, 2], [0x51, 0x6b], bytes]);
  t.equal(read(text(0x51, 0x76)).get('k'), 'v');
  t.throws(() => read(text(0x5f, 0x12, 0x7f, 0xff, 0xff, 0xff)), { message: /text leaves its file/ });
  t.throws(() => read(text(0x5f, 0x13, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)), {
    message: /number is too large/,
  });
  t.throws(() => read(text(0xaf, 0x12, 0x7f, 0xff, 0xff, 0xff)), { message: /more than 100000 values/ });
  t.throws(
    () =>
      read(
        binary([
          [0xd1, 1, 9],
          [0x51, 0x6b],
        ]),
      ),
    { message: /does not have/ },
  );
});

t.test('a list of any bytes is read or refused', async (t) => {
  const whole = createBinary({ a: ['b', { c: true }], n: 5, t: 'text' });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          readPropertyList(bytes, 'x');
        } catch (error) {
          if (!(error instanceof PackageFault)) throw error;
        }
      },
    ),
    { numRuns: 5_000 },
  );
  t.pass('5,000 damaged lists');
});

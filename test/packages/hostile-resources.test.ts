import fc from 'fast-check';
import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { MANIFEST_ATTRIBUTES, readManifest } from '../../server/packages/android-manifest.ts';
import { readBinaryXml } from '../../server/packages/binary-xml.ts';
import { ResourceTable } from '../../server/packages/resource-table.ts';
import { androidPackage, linkActivity, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { archiveOf } from './archive-of.ts';

const MIB = 2 ** 20;

/** A chunk: its kind, the rest of its header, and its content. */
function chunk(type: number, header: Buffer, content: Buffer): Buffer {
  const start = Buffer.alloc(8);
  start.writeUInt16LE(type, 0);
  start.writeUInt16LE(8 + header.length, 2);
  start.writeUInt32LE(8 + header.length + content.length, 4);
  return Buffer.concat([start, header, content]);
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};

/** A pool of `count` texts that are all the same one, in UTF-16. */
function pool(text: string, count: number): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(text.length);
  const content = Buffer.concat([length, Buffer.from(text, 'utf16le'), Buffer.alloc(2)]);
  return chunk(0x0001, words(count, 0, 0, 28 + count * 4, 0), Buffer.concat([Buffer.alloc(count * 4), content]));
}

/** An element named by the first text; each attribute is a name and a value by number of their texts. */
function start(attributes: readonly (readonly [name: number, text: number])[] = []): Buffer {
  const head = Buffer.alloc(20);
  head.writeUInt32LE(0xffffffff, 0);
  head.writeUInt16LE(20, 8);
  head.writeUInt16LE(20, 10);
  head.writeUInt16LE(attributes.length, 12);
  const parts = attributes.map(([name, text]) => words(0xffffffff, name, text, 0x03000008, text));
  return chunk(0x0102, words(1, 0xffffffff), Buffer.concat([head, ...parts]));
}

const end = chunk(0x0103, words(1, 0xffffffff), words(0xffffffff, 0));
const xml = (...chunks: Buffer[]): Buffer => chunk(0x0003, Buffer.alloc(0), Buffer.concat(chunks));
const read = (bytes: Buffer) => readBinaryXml(bytes, 'AndroidManifest.xml', MANIFEST_ATTRIBUTES);

t.test('elements nest up to a bound, and there are so many of them at most', async (t) => {
  const nested = (depth: number) => xml(pool('e', 1), ...Array.from({ length: depth }, () => start()));
  t.equal(read(nested(64)).name, 'e');
  t.throws(() => read(nested(65)), { message: /nested deeper than 64/ });
  const flat = (count: number) =>
    xml(pool('e', 1), start(), ...Array.from({ length: count }, () => [start(), end]).flat());
  t.equal(read(flat(1_000)).children.length, 1_000);
  t.throws(() => read(flat(50_000)), { message: /more than 50000 elements/ });
});

t.test('one long text that is named over and over comes to an end', async (t) => {
  const long = pool('x'.repeat(30_000), 1);
  const attributes = Array.from({ length: 1_000 }, () => [0, 0] as const);
  t.throws(() => read(xml(long, start(attributes))), { message: /too much text/ });
});

t.test('chunks, pools, texts and attributes that leave what holds them are refused', async (t) => {
  const sound = xml(pool('e', 1), start(), end);
  t.equal(read(sound).name, 'e');
  const at = (offset: number, value: number, size: 2 | 4 = 4): Buffer => {
    const bytes = Buffer.from(sound);
    if (size === 4) bytes.writeUInt32LE(value >>> 0, offset);
    else bytes.writeUInt16LE(value, offset);
    return bytes;
  };
  const cases: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['a file longer than it is', at(4, sound.length + 1)],
    ['no XML', at(0, 0x0002, 2)],
    ['a pool of no length, which would be read for ever', at(12, 0)],
    ['a header of no length', at(10, 0, 2)],
    ['four billion texts', at(16, 0xffffffff)],
    ['texts far away', at(28, 0x7fffffff)],
    ['nothing at all', Buffer.alloc(0)],
    ['half a header', sound.subarray(0, 5)],
  ];
  for (const [what, bytes] of cases) t.throws(() => read(bytes), PackageFault, what);
  t.throws(() => read(xml(start())), { message: /element before its texts/ });
  t.throws(() => read(xml(pool('e', 1))), { message: /no element/ });
});

/** A table with one package of types; every entry is a reference to `target`. */
function table(types: number, target: number): Buffer {
  const config = Buffer.alloc(28);
  config.writeUInt32LE(28, 0);
  const entry = Buffer.concat([words(8, 0), words(0x01000008, target)]);
  const header = Buffer.concat([words(1, 1, 8 + 12 + 28 + 4), config]);
  const type = chunk(0x0201, header, Buffer.concat([words(0), entry]));
  const head = Buffer.concat([words(0x7f), Buffer.alloc(276)]);
  const package_ = chunk(0x0200, head, Buffer.concat(Array.from({ length: types }, () => type)));
  return chunk(0x0002, words(1), package_);
}

t.test('references that go round in circles, or branch, come to an end', async (t) => {
  t.equal(new ResourceTable(table(1, 0x7f010000)).best(0x7f010000), undefined);
  t.throws(() => new ResourceTable(table(300, 0x7f010000)).best(0x7f010000), { message: /too long to follow/ });
  t.throws(() => new ResourceTable(table(50_001, 0)), { message: /more than 50000 types/ });
});

t.test('a table or a manifest of any bytes is read or refused', { skip: SKIP_WITHOUT_AAPT }, async (t) => {
  const archive = await archiveOf(
    t,
    androidPackage({
      application: 'android:label="@string/name" android:icon="@drawable/i"',
      activities: linkActivity('<data android:scheme="demo" android:host="a"/>'),
      resources: {
        'values/s.xml': '<resources><string name="name">N</string><drawable name="i">#fff</drawable></resources>',
      },
    }),
  );
  const manifest = archive.read('AndroidManifest.xml', MIB) ?? Buffer.alloc(0);
  const resources = archive.read('resources.arsc', MIB) ?? Buffer.alloc(0);
  const whole = () => {
    const found = new ResourceTable(resources);
    return readManifest(read(manifest), (id) => found.best(id));
  };
  t.equal(whole().activities.length, 1);
  const changes = (bytes: Buffer) =>
    fc
      .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 })
      .map((list) => list.reduce((copy, [at, value]) => copy.fill(value, at, at + 1), Buffer.from(bytes)));
  fc.assert(
    fc.property(changes(manifest), changes(resources), (one, other) => {
      try {
        const found = new ResourceTable(other);
        for (const id of [0x7f020000, 0x7f030000, 0x7f010000]) found.variants(id);
        readManifest(read(one), (id) => found.best(id));
      } catch (error) {
        if (!(error instanceof PackageFault)) throw error;
      }
    }),
    { numRuns: 3_000 },
  );
  t.pass('3,000 damaged packages');
});

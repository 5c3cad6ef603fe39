import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { archiveOf } from '../packages/archive-of.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';
import { zip } from '../support/zip.ts';

const MIB = 2 ** 20;
const hello = Buffer.from('hello '.repeat(100));

async function refused(t: Parameters<typeof archiveOf>[0], bytes: Buffer): Promise<string> {
  try {
    await archiveOf(t, bytes);
  } catch (error) {
    if (error instanceof PackageFault) return error.message;
    throw error;
  }
  return 'nothing was refused';
}

t.test('files come back as they were packed, stored or deflated, and folders are none', async (t) => {
  for (const compress of [true, false]) {
    const archive = await archiveOf(t, await zip({ 'a.txt': hello, 'dir/b': 'b', 'dir/': '' }, { compress }));
    t.same([...archive.names].sort(), ['a.txt', 'dir/b']);
    t.equal(Buffer.compare(archive.read('a.txt', 1_000) ?? Buffer.alloc(0), hello), 0);
    t.equal(archive.sizeOf('a.txt'), hello.length);
    t.equal(archive.read('dir/', 10), undefined);
    t.equal(archive.read('absent', 10), undefined);
    t.equal(archive.has('dir/b'), true);
  }
});

t.test('a file is read up to its bound and not a byte beyond', async (t) => {
  const archive = await archiveOf(t, await zip({ a: hello }));
  t.equal(archive.read('a', hello.length)?.length, hello.length);
  t.throws(() => archive.read('a', hello.length - 1), { message: /"a" has 600 bytes; at most 599 are read/ });
});

const NAMES: readonly (readonly [name: string, why: RegExp])[] = [
  ['/etc/passwd', /absolute path/],
  ['../up', /invalid relative path/],
  ['a/../../b', /invalid relative path/],
  ['C:\\x', /invalid characters|absolute/],
  ['a\\..\\b', /invalid characters/],
  ['nul\u0000l', /control characters/],
  ['line\nbreak', /control characters/],
  ['', /empty/],
  ['n'.repeat(1_025), /more than 1024 bytes/],
];
for (const [name, why] of NAMES) {
  t.test(`a name that is odd is refused: ${JSON.stringify(name.slice(0, 20))}`, async (t) => {
    t.match(await refused(t, rawZip([{ name, content: hello }])), why);
  });
}

const ODD: readonly (readonly [what: string, entry: RawEntry, why: RegExp])[] = [
  ['a device', { name: 'null', mode: 0o020666 }, /special file/],
  ['an encrypted file', { name: 'secret', content: hello, flags: 0x801 }, /encrypted/],
  ['another compression', { name: 'lzma', content: hello, method: 14 }, /compression method 14/],
  [
    'more than deflate can',
    { name: 'bomb', content: hello, claims: { bytes: 100 * MIB } },
    /more than its packed size/,
  ],
  ['a stored file of two sizes', { name: 's', content: hello, method: 0, claims: { bytes: 5 } }, /size mismatch/],
];
for (const [what, entry, why] of ODD) {
  t.test(`an entry that is ${what} is refused`, async (t) => {
    t.match(await refused(t, rawZip([{ name: 'good', content: hello }, entry])), why);
  });
}

t.test('links are told apart from files, by where they lead', async (t) => {
  const link = (content: string) => ({ name: 'link', content: Buffer.from(content), mode: 0o120777 });
  const archive = await archiveOf(t, rawZip([{ name: 'a' }, link('a')]));
  t.same([[...archive.names], [...archive.links], archive.linkTarget('link')], [['a'], ['link'], 'a']);
  t.equal(archive.has('link'), false);
  t.equal(archive.read('link', 100), undefined);
  for (const content of ['', 'x'.repeat(1_025)]) {
    const odd = await archiveOf(t, rawZip([link(content)]));
    t.throws(() => odd.linkTarget('link'), PackageFault);
  }
});

t.test('ordinary modes of Unix are no reason to refuse', async (t) => {
  const archive = await archiveOf(t, rawZip([{ name: 'run', content: hello, mode: 0o100755 }]));
  t.equal(archive.has('run'), true);
});

t.test('a name that comes twice is refused, since readers differ in which one they take', async (t) => {
  t.match(await refused(t, rawZip([{ name: 'a', content: hello }, { name: 'a' }])), /has "a" twice/);
});

t.test('files that lie over each other are refused: one byte would unpack many times', async (t) => {
  const entries = Array.from({ length: 50 }, (_, index) => ({
    name: `f${index}`,
    content: hello,
    claims: { offset: 0 },
  }));
  t.match(await refused(t, rawZip(entries)), /lies over another file/);
});

t.test('an archive that unpacks to far more than itself is refused before anything is unpacked', async (t) => {
  const zeros = Buffer.alloc(8 * MIB);
  const entries = Array.from({ length: 20 }, (_, index) => ({ name: `zeros${index}`, content: zeros }));
  const bomb = rawZip(entries);
  t.ok(bomb.length < MIB);
  t.match(await refused(t, bomb), /more than 100 times its own size/);
  const total = rawZip([{ name: 'huge', content: deflateRawSync(hello), method: 8, claims: { bytes: 0xfffffffe } }]);
  t.match(await refused(t, total), /more than its packed size/);
});

t.test('a hundred thousand entries are listed, one more is refused by the count alone', async (t) => {
  const many = (count: number) =>
    rawZip(Array.from({ length: count }, (_, index) => ({ name: `e${index}`, method: 0 })));
  const archive = await archiveOf(t, many(20_000));
  t.equal([...archive.names].length, 20_000);
  t.match(await refused(t, withZip64Count(many(10), 1_000_000)), /1000000 entries; at most 100000/);
});

t.test('sizes of ZIP64 that are lies are refused', async (t) => {
  t.match(
    await refused(t, withZip64Count(rawZip([{ name: 'a' }]), 5)),
    /not a valid ZIP archive/,
    'entries that are not there',
  );
  t.match(await refused(t, withZip64Count(rawZip([{ name: 'a' }]), 1, 2 ** 40)), /not a valid ZIP archive/);
});

t.test('a false size or checksum in the directory is detected when the entry is read', async (t) => {
  const small = await archiveOf(t, rawZip([{ name: 'a', content: Buffer.alloc(10 * MIB), claims: { bytes: 100 } }]));
  t.throws(() => small.read('a', 1_000), { message: /larger than the archive says/ });
  const large = await archiveOf(t, rawZip([{ name: 'a', content: hello, claims: { bytes: 700 } }]));
  t.throws(() => large.read('a', 1_000), { message: /size or checksum/ });
  const wrong = await archiveOf(t, rawZip([{ name: 'a', content: hello, claims: { crc: 1 } }]));
  t.throws(() => wrong.read('a', 1_000), { message: /size or checksum/ });
});

t.test('a file that is not where the directory says is refused', async (t) => {
  const at = (offset: number) => rawZip([{ name: 'a', content: hello, claims: { offset } }]);
  t.match(await refused(t, at(3)), /something before "a"/);
  const shifted = rawZip([{ name: 'a', content: hello, before: Buffer.alloc(9), claims: { offset: 3 } }]);
  t.match(await refused(t, shifted), /"a" is not where the archive says/);
});

t.test('a file comes in pieces too, and one that is longer than it says, or damaged, ends in a fault', async (t) => {
  const content = Buffer.from(Array.from({ length: MIB }, (_, index) => (index * 7919) % 251));
  const gather = async (bytes: Buffer) => {
    const parts: Buffer[] = [];
    for await (const piece of (await archiveOf(t, bytes)).pieces('a')) parts.push(piece);
    return Buffer.concat(parts);
  };
  for (const method of [0, 8])
    t.equal(Buffer.compare(await gather(rawZip([{ name: 'a', content, method }])), content), 0);
  t.equal((await gather(rawZip([{ name: 'b', content }]))).length, 0, 'absent');
  await t.rejects(gather(rawZip([{ name: 'a', content, claims: { bytes: 1_000 } }])), { message: /larger than/ });
  const damaged = rawZip([{ name: 'a', content }]);
  damaged.fill(0xff, 60, 90);
  await t.rejects(gather(damaged), { message: /cannot be unpacked/ });
});

t.test('an archive that ends early is refused, wherever it ends', async (t) => {
  const whole = await zip({ a: hello, b: hello });
  for (let length = 0; length < whole.length; length += 7) {
    t.match(await refused(t, whole.subarray(0, length)), /not a valid ZIP archive|longer than it is/);
  }
});

t.test('an archive of any bytes is read or refused, and nothing else happens', async (t) => {
  const whole = await zip({ 'a.txt': hello, 'b/c': 'c' }, { compress: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }),
      async (changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const archive = await archiveOf(t, bytes);
          for (const name of archive.names) archive.read(name, MIB);
        } catch (error) {
          if (!(error instanceof PackageFault)) throw error;
        }
      },
    ),
    { numRuns: 400 },
  );
  t.pass('400 damaged archives');
});

/** The archive with a ZIP64 end that tells this count of entries, and where the directory begins if that is given. */
function withZip64Count(archive: Buffer, entries: number, directory?: number): Buffer {
  const end = archive.subarray(archive.length - 22);
  const body = archive.subarray(0, archive.length - 22);
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40);
  record.writeBigUInt64LE(BigInt(directory ?? end.readUInt32LE(16)), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(body.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([body, record, locator, end]);
}

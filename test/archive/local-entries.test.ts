import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { archiveOf } from '../packages/archive-of.ts';
import { androidPackage, SKIP_WITHOUT_AAPT } from '../support/android-package.ts';
import { type RawEntry, rawZip, strayEntry } from '../support/raw-zip.ts';
import { zip } from '../support/zip.ts';

const hello = Buffer.from('hello '.repeat(100));
const content = Buffer.from('what nobody lists');
const one: RawEntry = { name: 'a', content: hello };
const two: RawEntry = { name: 'b', content: hello };

/** As Android's signer writes it: its size, what it holds, its size, and its name. */
function signature(bytes: number, told = bytes - 8): Buffer {
  const block = Buffer.alloc(bytes, 7);
  block.writeBigUInt64LE(BigInt(told), 0);
  block.writeBigUInt64LE(BigInt(told), bytes - 24);
  block.write('APK Sig Block 42', bytes - 16, 'latin1');
  return block;
}

/** The empty entries that the Android Gradle plugin leaves in the place of a file that it removed from a debug build. */
function removed(bytes: number): Buffer {
  const fillers: Buffer[] = [];
  for (let left = bytes; left > 0; ) {
    const whole = Math.min(left, 2 ** 16);
    // Too little for a header is no place for another one.
    const length = left - whole > 0 && left - whole < 30 ? whole - 30 : whole;
    fillers.push(strayEntry('', Buffer.alloc(0), length - 30));
    left -= length;
  }
  return Buffer.concat(fillers);
}

const HIDDEN: readonly (readonly [what: string, bytes: () => Buffer, why: RegExp])[] = [
  ['an entry at the front', () => rawZip([{ ...one, before: strayEntry('x', content) }]), /something before "a"/],
  ['an entry between', () => rawZip([one, { ...two, before: strayEntry('../../x', content) }]), /something before "b"/],
  ['an entry at the end', () => rawZip([one], { beforeDirectory: strayEntry('x', content) }), /before "its directory"/],
  ['an entry with a name alone', () => rawZip([one, { ...two, before: strayEntry('x') }]), /something before "b"/],
  ['an entry without a name', () => rawZip([one, { ...two, before: strayEntry('', content) }]), /something before "b"/],
  ['bytes', () => rawZip([one, { ...two, before: content }]), /something before "b"/],
  [
    'an entry behind much that fills a gap',
    () => rawZip([one, { ...two, before: Buffer.concat([removed(5 * 2 ** 20), strayEntry('x')]) }]),
    /something before "b"/,
  ],
  [
    'a byte behind many zeros',
    () => rawZip([one, { ...two, before: Buffer.concat([Buffer.alloc(5 * 2 ** 20), Buffer.from([1])]) }]),
    /something before "b"/,
  ],
  [
    'more entries that fill a gap than any tool writes',
    () => rawZip([one, { ...two, before: Buffer.alloc(30 * (2 ** 16 + 1), strayEntry('')) }]),
    /something before "b"/,
  ],
  [
    'an entry before a signature',
    () => rawZip([one], { beforeDirectory: Buffer.concat([strayEntry('x', content), signature(100)]) }),
    /its directory/,
  ],
  ['a signature of another size', () => rawZip([one], { beforeDirectory: signature(100, 90) }), /its directory/],
  [
    'a signature that reaches over a file',
    () => rawZip([one], { beforeDirectory: signature(100, 110) }),
    /its directory/,
  ],
  [
    'half of an entry that fills a gap',
    () => rawZip([one, { ...two, before: strayEntry('', Buffer.alloc(0), 50).subarray(0, 60) }]),
    /something before/,
  ],
];
for (const [what, bytes, why] of HIDDEN) {
  t.test(`content that the directory does not name is refused: ${what}`, async (t) => {
    await t.rejects(archiveOf(t, bytes()), { message: why });
    await t.rejects(archiveOf(t, bytes()), PackageFault);
  });
}

const TWO_STORIES: readonly (readonly [what: string, entry: RawEntry, why: RegExp])[] = [
  ['another name', { ...one, local: { name: 'c' } }, /two names of "a"/],
  ['a name that leads elsewhere', { ...one, local: { name: '../../../../tmp/outside.txt' } }, /two names of "a"/],
  ['a longer name', { ...one, local: { name: 'aa' } }, /two names of "a"/],
  ['another method', { ...one, local: { method: 0 } }, /two kinds of content of "a"/],
  ['another size', { ...one, local: { bytes: 1 } }, /two sizes of "a"/],
  ['another checksum', { ...one, local: { crc: 1 } }, /two sizes of "a"/],
];
for (const [what, entry, why] of TWO_STORIES) {
  t.test(`a file of which two stories are told is refused: ${what}`, async (t) => {
    await t.rejects(archiveOf(t, rawZip([two, entry])), { message: why });
  });
}

t.test(
  'content that tools leave between files is accepted: descriptors, padding, nameless entries, signatures',
  async (t) => {
    const kinds = ['with signature', 'bare', 'in 64 bits'] as const;
    const filled = Buffer.concat([strayEntry('', Buffer.alloc(0), 300), Buffer.alloc(7), strayEntry('')]);
    const entries: RawEntry[] = [
      ...kinds.map((described, index) => ({ name: `d${index}`, content: hello, described })),
      { ...one, before: filled },
      { ...two, before: Buffer.alloc(4_095) },
    ];
    const bytes = rawZip(entries, { beforeDirectory: Buffer.concat([filled, Buffer.alloc(4_000), signature(4_096)]) });
    const archive = await archiveOf(t, bytes);
    for (const { name } of entries) t.same(archive.read(name, 1_000), hello, name);
  },
);

t.test('gaps of any size are taken: incremental builds leave tens of megabytes', async (t) => {
  for (const before of [removed(20 * 2 ** 20 + 12_345), Buffer.alloc(5 * 2 ** 20)]) {
    const archive = await archiveOf(t, rawZip([one, { ...two, before }], { beforeDirectory: before }));
    t.same(archive.read('b', 1_000), hello);
  }
});

t.test('a descriptor that tells something else than the directory is not one', async (t) => {
  const entry: RawEntry = { ...one, described: 'with signature' };
  const bytes = rawZip([entry, two]);
  const at = bytes.indexOf('PK\x07\x08');
  bytes[at + 4] = (bytes[at + 4] ?? 0) ^ 1;
  await t.rejects(archiveOf(t, bytes), { message: /something before "b"/ });
});

t.test('archives of common tools are taken', async (t) => {
  const folder = t.testdir({});
  const app = join(folder, 'A.app', 'Frameworks');
  mkdirSync(app, { recursive: true });
  for (const name of ['Info.plist', 'Frameworks/été', 'A']) writeFileSync(join(folder, 'A.app', name), hello);
  chmodSync(join(folder, 'A.app', 'A'), 0o755);
  const made: [string, Buffer][] = [['a stream', await zip({ 'A.app/Info.plist': hello })]];
  if (spawnSync('zip', ['-v']).error === undefined) {
    execFileSync('zip', ['-qry', 'info.zip', 'A.app'], { cwd: folder });
    made.push(['zip', readFileSync(join(folder, 'info.zip'))]);
    const piped = execFileSync('zip', ['-qry', '-', 'A.app'], { cwd: folder, maxBuffer: 2 ** 24 });
    made.push(['zip to a pipe', piped]);
  }
  if (spawnSync('bsdtar', ['--version']).error === undefined) {
    execFileSync('bsdtar', ['-a', '-cf', 'bsd.zip', 'A.app'], { cwd: folder });
    made.push(['bsdtar', readFileSync(join(folder, 'bsd.zip'))]);
  }
  if (spawnSync('python3', ['--version']).error === undefined) {
    execFileSync('python3', ['-m', 'zipfile', '-c', 'py.zip', 'A.app'], { cwd: folder });
    made.push(['python', readFileSync(join(folder, 'py.zip'))]);
  }
  if (!SKIP_WITHOUT_AAPT) made.push(['aapt', androidPackage()], ['aapt2', androidPackage({}, 'aapt2')]);
  for (const [tool, bytes] of made) {
    const archive = await archiveOf(t, bytes).catch((error) => error);
    t.notOk(archive instanceof Error, `${tool}: ${String(archive)}`);
  }
  t.comment(made.map(([tool]) => tool).join(', '));
});

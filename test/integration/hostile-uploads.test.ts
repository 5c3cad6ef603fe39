import { deflateRawSync } from 'node:zlib';
import createBinary from 'bplist-creator';
import t from 'tap';
import { sentenceOf } from '../support/envelope.ts';
import { iosFiles, iosPackage } from '../support/ios-package.ts';
import { rawZip } from '../support/raw-zip.ts';
import { startServer } from '../support/server.ts';
import { zip } from '../support/zip.ts';

/** Bombs through the front door: each is refused with its reason, and the service goes on as if nothing had been. */

const server = await startServer();
t.teardown(() => server.close());
const MIB = 2 ** 20;

async function upload(body: Buffer): Promise<{ status: number; text: string }> {
  const response = await server.rest.fetch('/service/assets', { method: 'POST', body: new Uint8Array(body) });
  return { status: response.status, text: await response.text() };
}

const zeros = Buffer.alloc(8 * MIB);
const nested = (depth: number): string =>
  `<plist><dict><key>CFBundleIdentifier</key>${'<array>'.repeat(depth)}${'</array>'.repeat(depth)}</dict></plist>`;
const plist = (content: string) => iosPackage({ plist: `<?xml version="1.0"?>${content}` });
const ghosts = Array.from({ length: 60_000 }, (_, index) => ({ name: `${index}`, method: 0, claims: { offset: 0 } }));

const BOMBS: readonly (readonly [what: string, body: () => Promise<Buffer> | Buffer, why: RegExp])[] = [
  [
    '1,000 to 1, twenty times',
    () => rawZip(ghosts.slice(0, 20).map(({ name }) => ({ name, content: zeros }))),
    /100 times/,
  ],
  ['60,000 files over each other', () => rawZip(ghosts), /lies over another/],
  ['a claim of 4 GiB', () => rawZip([{ name: 'a', content: zeros, claims: { bytes: 0xfffffff0 } }]), /packed size/],
  [
    'an Info.plist of 8 MiB out of 8 KiB',
    () => zip(iosFiles({ plist: zeros })),
    /"Payload\/Demo.app\/Info.plist" has 8388608 bytes; at most 2097152/,
  ],
  [
    'an Info.plist that is larger than it says',
    () => rawZip([{ name: 'A.app/Info.plist', content: zeros, claims: { bytes: 1_000 } }]),
    /larger than the archive says/,
  ],
  [
    'a manifest that is larger than it may be',
    () => zip({ 'AndroidManifest.xml': Buffer.alloc(9 * MIB) }),
    /at most 8388608/,
  ],
  ['tags that never end', () => plist('<a'.repeat(2 ** 20 - 100)), /ends in the middle of a tag/],
  ['deep nesting', () => plist(nested(30_000)), /nested deeper than 32/],
  ['a billion laughs', () => plist('<!DOCTYPE plist [<!ENTITY a "ha">]><plist/>'), /declares entities/],
  ['a list that holds itself', () => iosPackage({ plist: selfish() }), /nested deeper than 32/],
  ['a path out of the archive', () => rawZip([{ name: '../../x' }]), /invalid relative path/],
  ['a link', () => rawZip([{ name: 'link', content: Buffer.from('/etc'), mode: 0o120777 }]), /symbolic link/],
  ['an archive in an archive', () => zip({ 'inner.zip': deflateRawSync(zeros) }), /neither an AndroidManifest/],
];

for (const [what, body, why] of BOMBS) {
  t.test(`it refuses ${what}`, async (t) => {
    const { status, text } = await upload(await body());
    t.equal(status, 400);
    t.match(sentenceOf(text), why);
    t.match(text, /"code":"invalid_asset"/);
  });
}

t.test('afterwards a sound app is taken as ever, and nothing of the others is there', async (t) => {
  const { status, text } = await upload(await iosPackage());
  t.equal(status, 201);
  t.match(JSON.parse(text), { name: 'Demo' });
  const { body } = await server.rest.call<{ assets: unknown[] }>('GET', '/service/assets');
  t.equal(body.assets.length, 1);
});

/** A binary list whose array is its own only item. */
function selfish(): Buffer {
  const bytes = createBinary({ CFBundleIdentifier: ['x'] });
  const array = bytes.indexOf(0xa1);
  const offsets = [...bytes.subarray(Number(bytes.readBigUInt64BE(bytes.length - 8)), bytes.length - 32)];
  bytes[array + 1] = offsets.indexOf(array);
  return bytes;
}

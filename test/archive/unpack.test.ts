import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { PackageFault } from '../../server/archive/package-fault.ts';
import { unpackApp } from '../../server/archive/unpack.ts';
import { describe } from '../packages/archive-of.ts';
import { infoPlist, xmlPlist } from '../support/ios-package.ts';
import { type RawEntry, rawZip } from '../support/raw-zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'unpack-'));
t.teardown(() => rmSync(folder, { recursive: true }));
let made = 0;

const plist: RawEntry = { name: 'Payload/A.app/Info.plist', content: Buffer.from(xmlPlist(infoPlist())) };
const inApp = (name: string, more: Partial<RawEntry> = {}): RawEntry => ({ name: `Payload/A.app/${name}`, ...more });
const link = (name: string, target: string): RawEntry => inApp(name, { content: Buffer.from(target), mode: 0o120755 });

async function unpack(entries: readonly RawEntry[]): Promise<{ into: string; app: string }> {
  const place = join(folder, String(++made));
  const into = join(place, 'into');
  mkdirSync(into, { recursive: true });
  writeFileSync(join(place, 'file'), rawZip(entries));
  return { into, app: await unpackApp(join(place, 'file'), into) };
}

t.test('an app comes out with its content, executable bits, folders and links', async (t) => {
  const library = 'Frameworks/F.framework/Versions/A/F';
  const { into, app } = await unpack([
    plist,
    inApp('A', { content: Buffer.from('machine code'), mode: 0o100755 }),
    inApp('plain', { content: Buffer.alloc(3_000_000, 7), method: 0, mode: 0o104644 }),
    inApp('none', { mode: 0o100600 }),
    inApp('Empty/', { mode: 0o040755, method: 0 }),
    inApp(library, { content: Buffer.from('library'), mode: 0o100755 }),
    link('Frameworks/F.framework/Versions/Current', 'A'),
    link('Frameworks/F.framework/F', 'Versions/Current/F'),
    link('Frameworks/up', '../A'),
    { name: 'Payload/other.txt', content: Buffer.from('not of the app') },
    { name: '__MACOSX/A.app/Info.plist', content: Buffer.from('nor this') },
  ]);
  t.equal(app, 'Payload/A.app');
  t.same(readdirSync(into), ['Payload']);
  t.same(readdirSync(join(into, 'Payload')), ['A.app'], 'and nothing else');
  const at = (name: string) => join(into, app, name);
  t.same(readdirSync(at('')).sort(), ['A', 'Empty', 'Frameworks', 'Info.plist', 'none', 'plain']);
  t.same(readdirSync(at('Empty')), []);
  const mode = (name: string) => (lstatSync(at(name)).mode & 0o7777).toString(8);
  t.same([mode('A'), mode('plain'), mode('none'), mode(library)], ['755', '644', '644', '755']);
  t.same(readFileSync(at('plain')), Buffer.alloc(3_000_000, 7));
  t.equal(statSync(at('none')).size, 0);
  t.equal(readlinkSync(at('Frameworks/F.framework/F')), 'Versions/Current/F');
  t.equal(readFileSync(at('Frameworks/F.framework/F'), 'utf8'), 'library', 'over two links');
  t.equal(readFileSync(at('Frameworks/up'), 'utf8'), 'machine code');
});

t.test('names that say nothing of their coding are UTF-8, as Apple writes them', async (t) => {
  const { into, app } = await unpack([plist, inApp('été.lproj/x', { flags: 0 })]);
  t.same(readdirSync(join(into, app)).sort(), ['Info.plist', 'été.lproj']);
});

const REFUSED: readonly (readonly [what: string, entries: readonly RawEntry[], why: RegExp])[] = [
  ['a link to a place of the system', [plist, link('l', '/etc')], /leads out of the app/],
  ['a link out of the app', [plist, link('l', '../../x')], /leads out of the app/],
  ['a link to the app itself', [plist, link('d/l', '..')], /leads out of the app/],
  ['a link out of a folder of the app', [plist, link('d/l', '../../x')], /leads out of the app/],
  ['a link that goes down and up again', [plist, link('l', 'd/../../../x')], /leads out of the app/],
  ['a link that climbs over another', [plist, link('d/e/l', '../..'), link('m', 'd/e/l/../x')], /leads out of the app/],
  ['a link that leads nowhere', [plist, link('l', '')], /leads nowhere/],
  ['a link with a line break', [plist, link('l', 'a\nb')], /leads out of the app/],
  ['a file in a link', [plist, link('l', 'd'), inApp('l/x')], /one and the same name/],
  ['a file in a file', [plist, inApp('f'), inApp('f/x')], /one and the same name/],
  ['names that differ in case', [plist, inApp('Readme'), inApp('README')], /one and the same name on a Mac/],
  ['folders that differ in case', [plist, inApp('D/x'), inApp('d/y')], /one and the same name on a Mac/],
  [
    'a link that differs in case from a folder',
    [plist, link('D', 'e'), inApp('d/y')],
    /one and the same name on a Mac/,
  ],
  ['names that differ in composition', [plist, inApp('\u00e9'), inApp('e\u0301')], /one and the same name on a Mac/],
  ['too many folders', [plist, inApp(`${'d/'.repeat(100)}x`)], /more than 64 folders/],
];
for (const [what, entries, why] of REFUSED) {
  t.test(`an app is neither taken nor unpacked with ${what}`, async (t) => {
    const before = made;
    await t.rejects(unpack(entries), { message: why });
    t.same(readdirSync(join(folder, String(before + 1), 'into')), [], 'nothing was written');
    await t.rejects(describe(t, rawZip(entries)), { message: why });
    await t.rejects(describe(t, rawZip(entries)), PackageFault);
  });
}

t.test('a link that is of no app is refused', async (t) => {
  const stray = { name: 'link', content: Buffer.from('/etc'), mode: 0o120777 };
  await t.rejects(describe(t, rawZip([plist, stray])), { message: /"link" is a symbolic link/ });
  const { into } = await unpack([plist, stray]);
  t.same(readdirSync(into), ['Payload'], 'and would not be unpacked');
});

t.test('no app, two of them, and one whose content is damaged are not unpacked', async (t) => {
  await t.rejects(unpack([{ name: 'x' }]), { message: /exactly one app/ });
  await t.rejects(unpack([plist, { ...plist, name: 'B.app/Info.plist' }]), { message: /exactly one app/ });
  await t.rejects(unpack([inApp('Info.plist', { mode: 0o120777, content: Buffer.from('x') })]), {
    message: /exactly one app/,
  });
  const crc = { claims: { crc: 1 }, local: { crc: 1 } };
  await t.rejects(unpack([plist, inApp('x', { content: Buffer.from('y'), ...crc })]), {
    message: /"Payload\/A.app\/x" is damaged/,
  });
});

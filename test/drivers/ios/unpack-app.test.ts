import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { withUnpackedApp } from '../../../server/drivers/ios/unpack-app.ts';
import { iosPackage } from '../../support/ios-package.ts';
import { rawZip, strayEntry } from '../../support/raw-zip.ts';
import { type Files, zip } from '../../support/zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'unpack-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** Where there is no program at all. */
const tools = { PATH: folder };

function archive(bytes: Buffer): string {
  const path = join(folder, 'archive');
  writeFileSync(path, bytes);
  return path;
}

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`runcloud-app-${process.pid}-`));

for (const [name, app] of [
  ['zipped app', 'My App.app'],
  ['ipa', 'Payload/Other.app'],
] as const) {
  t.test(`the app of a ${name} is found without any program of the system, and gone after its use`, async (t) => {
    const before = left();
    const file = archive(await iosPackage({ folder: `${app}/` }));
    const [found, plist] = await withUnpackedApp(file, tools, async (path) => [
      path,
      readFileSync(join(path, 'Demo'), 'utf8'),
    ]);
    t.ok(found?.endsWith(`/${app}`), found);
    t.equal(plist, 'an executable');
    t.same(left(), before);
  });
}

t.test(
  'an archive with no app, with two, with one that has no Info.plist, or with what it hides, is refused',
  async (t) => {
    const before = left();
    const archives: (Files | Buffer)[] = [
      {},
      { 'A.app/Info.plist': '<plist/>', 'Payload/B.app/Info.plist': '<plist/>' },
      { 'A.app/A': 'x' },
      rawZip([{ name: 'A.app/Info.plist', before: strayEntry('../../../../tmp/outside.txt', Buffer.from('x')) }]),
      rawZip([{ name: 'A.app/Info.plist' }, { name: 'A.app/l', content: Buffer.from('/usr'), mode: 0o120777 }]),
      Buffer.from('no archive'),
    ];
    for (const content of archives) {
      const file = archive(Buffer.isBuffer(content) ? content : await zip(content));
      const unpacked = withUnpackedApp(file, tools, async () => undefined);
      await t.rejects(unpacked, { name: 'DeviceFault', kind: 'failed', message: /^The app cannot be unpacked: ./ });
    }
    const nowhere = withUnpackedApp('/nowhere', tools, async () => undefined);
    await t.rejects(nowhere, { name: 'DeviceFault', kind: 'failed', message: /ENOENT/ });
    t.same(left(), before);
  },
);

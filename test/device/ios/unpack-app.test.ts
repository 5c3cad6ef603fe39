import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { withUnpackedApp } from '../../../server/device/ios/unpack-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'unpack-'));
t.teardown(() => rmSync(folder, { recursive: true }));

/** A stand-in of ditto that "unpacks" by copying a folder. */
const ditto = join(folder, 'ditto');
writeFileSync(ditto, '#!/bin/sh\n[ "$1" = -x ] && [ "$2" = -k ] && exec cp -a "$3/." "$4"\n', { mode: 0o755 });
const tools = { PATH: '/bin:/usr/bin' };

function archive(name: string, apps: readonly string[], plist = true): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const app of apps) {
    mkdirSync(join(path, app), { recursive: true });
    if (plist) writeFileSync(join(path, app, 'Info.plist'), '<plist/>');
  }
  return path;
}

const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`runcloud-app-${process.pid}-`));

for (const [name, app] of [
  ['zipped app', 'My App.app'],
  ['ipa', 'Payload/Other.app'],
] as const) {
  t.test(`the app of a ${name} is found, and gone after its use`, async (t) => {
    const before = left();
    const found = await withUnpackedApp(ditto, archive(name, [app]), tools, async (path) => path);
    t.ok(found.endsWith(app), found);
    t.same(left(), before);
  });
}

t.test(
  'an archive with no app, with two, with one that has no Info.plist, or with a link to one, is refused',
  async (t) => {
    const linked = archive('link', []);
    symlinkSync('/usr', join(linked, 'Usr.app'));
    const before = left();
    const archives = [
      linked,
      archive('none', []),
      archive('two', ['A.app', 'Payload/B.app']),
      archive('bare', ['A.app'], false),
    ];
    for (const file of archives) {
      await t.rejects(
        withUnpackedApp(ditto, file, tools, async () => undefined),
        { name: 'DeviceFault', kind: 'failed' },
        file,
      );
    }
    await t.rejects(
      withUnpackedApp(ditto, '/nowhere', tools, async () => undefined),
      { name: 'DeviceFault', kind: 'failed' },
    );
    t.same(left(), before);
  },
);

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isOwn, isOwnFolder, readOwnFile } from '../../../server/drivers/process/own-file.ts';

const BYTES_MAX = 1_000;
/** Somebody else's number; only root can give things away to them. */
const STRANGER = 54_321;
const isRoot = process.getuid?.() === 0;

t.test('a file that only its user or root can write is accepted, whoever can read it', async (t) => {
  for (const [rights, own] of [
    [{ uid: 501, gid: 20, mode: 0o100600 }, true],
    [{ uid: 501, gid: 20, mode: 0o100644 }, true],
    [{ uid: 0, gid: 0, mode: 0o100644 }, true],
    [{ uid: 501, gid: 501, mode: 0o100664 }, true],
    [{ uid: 501, gid: 20, mode: 0o100664 }, false],
    [{ uid: 501, gid: 501, mode: 0o100666 }, false],
    [{ uid: 501, gid: 20, mode: 0o100602 }, false],
    [{ uid: 502, gid: 20, mode: 0o100600 }, false],
    [{ uid: 502, gid: 501, mode: 0o040700 }, false],
  ] as const) {
    t.equal(isOwn(rights, 501), own, JSON.stringify(rights));
  }
  t.equal(isOwn({ uid: 501, gid: 20, mode: 0o100600 }, 0), false, 'to root, other users are others');
});

t.test('a folder is own by its owner and its rights, and a link to one by its owner too', async (t) => {
  const place = t.testdir({ folder: {}, file: '' });
  const folder = join(place, 'folder');
  const link = join(place, 'link');
  symlinkSync(folder, link);
  t.strictSame([folder, link, join(place, 'file'), join(place, 'none')].map(isOwnFolder), [true, true, false, false]);
  chmodSync(folder, 0o777);
  t.strictSame([folder, link].map(isOwnFolder), [false, false]);
  // A folder for everybody's temporary files lets everybody write as well.
  chmodSync(folder, 0o1777);
  t.equal(isOwnFolder(folder), false);
  chmodSync(folder, 0o755);
  if (!isRoot) return;
  execFileSync('chown', ['-h', String(STRANGER), link]);
  t.strictSame([folder, link].map(isOwnFolder), [true, false], 'who made the link chose the folder');
  chownSync(folder, STRANGER, STRANGER);
  t.equal(isOwnFolder(folder), false);
});

t.test('a file is read with the time of its last change, whole and no longer than it may be', async (t) => {
  const file = join(t.testdir({ file: 'a=b\n' }), 'file');
  t.match(readOwnFile(file, BYTES_MAX), { text: 'a=b\n', changedMs: Number });
  writeFileSync(file, 'x'.repeat(BYTES_MAX));
  t.equal(readOwnFile(file, BYTES_MAX)?.text.length, BYTES_MAX);
  writeFileSync(file, 'x'.repeat(BYTES_MAX + 1));
  t.equal(readOwnFile(file, BYTES_MAX), undefined);
});

t.test(
  'a file that others can write, and a path that is no regular file, is refused without being read and without blocking',
  async (t) => {
    const place = t.testdir({ file: 'a=b\n' });
    const at = (name: string) => join(place, name);
    mkdirSync(at('folder'));
    symlinkSync(at('file'), at('link'));
    execFileSync('mkfifo', [at('pipe')]);
    for (const name of ['folder', 'link', 'pipe', 'none']) t.equal(readOwnFile(at(name), BYTES_MAX), undefined, name);
    t.equal(readOwnFile('/dev/zero', BYTES_MAX), undefined);
    linkSync(at('file'), at('second name'));
    t.equal(readOwnFile(at('second name'), BYTES_MAX)?.text, 'a=b\n');
    chmodSync(at('file'), 0o666);
    t.equal(readOwnFile(at('file'), BYTES_MAX), undefined);
    chmodSync(at('file'), 0o600);
    if (!isRoot) return;
    chownSync(at('file'), STRANGER, STRANGER);
    t.equal(readOwnFile(at('file'), BYTES_MAX), undefined);
  },
);

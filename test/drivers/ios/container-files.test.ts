import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { ContainerFiles } from '../../../server/drivers/ios/container-files.ts';
import { seeded } from '../../conformance/random.ts';
import { strayContainerNames } from './stray-container-names.ts';

const { signal } = new AbortController();
const at = (path: string) => ({ root: 'shared', path });

async function stage(folder: string) {
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  for (const each of [root, outside]) mkdirSync(each);
  writeFileSync(join(outside, 'secret'), 'secret');
  const [here, into] = [join(folder, 'here'), join(folder, 'into')];
  writeFileSync(here, 'pushed');
  writeFileSync(into, '');
  return { root, outside, here, into, files: await ContainerFiles.at(root) };
}

t.test('random names are written, told, read and deleted byte for byte, and nothing else is touched', async (t) => {
  const { stray, taken, refused } = await strayContainerNames(400, seeded(23), t.testdir());
  t.same(stray, []);
  t.ok(taken > 200 && refused > 20, `${taken} taken, ${refused} refused`);
});

t.test('a link is told as one, deleted as one, and leads nowhere', async (t) => {
  const { root, outside, here, into, files } = await stage(t.testdir());
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync(join(outside, 'secret'), join(root, 'file'));
  symlinkSync('/nowhere', join(root, 'none'));
  t.match(await files.list(at('')), {
    entries: [
      { name: 'file', kind: 'link' },
      { name: 'folder', kind: 'link' },
      { name: 'none', kind: 'link' },
    ],
  });
  const link = { message: /is a link, which is not followed/ };
  for (const path of ['file', 'folder/secret', 'none']) {
    await t.rejects(files.pull(at(path), into, signal), link, path);
    await t.rejects(files.push(at(path), here, signal), link, path);
  }
  await t.rejects(files.list(at('folder')), link);
  await t.rejects(files.push(at('folder/new/file'), here, signal), link);
  await t.rejects(files.remove(at('folder/secret')), link);
  t.same(await files.remove(at('folder')), { kind: 'link' });
  t.same(await files.remove(at('file')), { kind: 'link' });
  t.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret');
  t.same(readdirSync(outside), ['secret']);
});

t.test('what is neither a file nor a folder is told, and not waited for', async (t) => {
  const { root, here, into, files } = await stage(t.testdir());
  const { execFileSync } = await import('node:child_process');
  execFileSync('mkfifo', [join(root, 'pipe')]);
  t.match(await files.list(at('')), { entries: [{ name: 'pipe', kind: 'other' }] });
  const other = { message: /is neither a file nor a folder/ };
  await t.rejects(files.pull(at('pipe'), into, signal), other);
  await t.rejects(files.push(at('pipe'), here, signal), other);
  t.same(await files.remove(at('pipe')), { kind: 'other' });
});

t.test('names that are no UTF-8 are counted, and long folders told in part', async (t) => {
  const { root, files } = await stage(t.testdir());
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe, 0x61])]), '');
  for (let count = 0; count < 1_005; count++) writeFileSync(join(root, `f${String(count).padStart(4, '0')}`), '');
  const { entries, truncated, unnamed } = await files.list(at(''));
  t.same(
    [entries.length, entries[0]?.name, entries.at(-1)?.name, truncated, unnamed],
    [1_000, 'f0000', 'f0999', true, 1],
  );
});

t.test('a push that was ended leaves what was there', async (t) => {
  const { root, here, files } = await stage(t.testdir());
  writeFileSync(join(root, 'kept'), 'before');
  writeFileSync(here, Buffer.alloc(20_000_000));
  const ending = new AbortController();
  const pushed = files.push(at('kept'), here, ending.signal);
  await turn();
  ending.abort();
  await t.rejects(pushed, { message: 'The call was ended.' });
  t.equal(readFileSync(join(root, 'kept'), 'utf8'), 'before');
  t.same(readdirSync(root), ['kept']);
  rmSync(here);
});

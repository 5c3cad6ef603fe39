import { mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@runcloud/protocol/terms';
import t from 'tap';
import { RecordingFiles } from '../../server/recording/recording-files.ts';
import { makeReadOnly } from '../support/troubled-disk.ts';

function open(t: Pick<typeof import('tap').default, 'teardown'>) {
  const folder = join(mkdtempSync(join(tmpdir(), 'runcloud-files-')), 'recordings');
  t.teardown(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  const files = new RecordingFiles(folder);
  const id = newId('rec');
  const { partFile } = files.orderOf(id);
  writeFileSync(partFile, 'pictures');
  return { folder, files, id, partFile };
}

t.test('a recording can be finished where another copy of its capture has room', async (t) => {
  const { folder, files, id, partFile } = open(t);
  t.equal(await files.canFinish(id), true);
  const { bavail, bsize } = statfsSync(folder);
  // All holes: it takes no room itself.
  truncateSync(partFile, bavail * bsize + 2 ** 30);
  t.equal(await files.canFinish(id), false);
  truncateSync(partFile, 8);
  t.equal(await files.canFinish(id), true);
});

t.test('a recording cannot be finished where nothing can be written', async (t) => {
  const { folder, files, id } = open(t);
  const writable = makeReadOnly(folder);
  try {
    t.equal(await files.canFinish(id), false);
  } finally {
    writable();
  }
  t.equal(await files.canFinish(id), true);
});

t.test('a capture that is not there needs no room: the finisher says what is wrong with it', async (t) => {
  const { files } = open(t);
  t.equal(await files.canFinish(newId('rec')), true);
});

t.test('a text that is no recording id makes no path', async (t) => {
  const { files } = open(t);
  for (const id of ['', '..', 'rec_short', '../../etc/passwd', `${newId('rec')}/x`]) t.throws(() => files.finished(id));
});

import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { RecordingFiles } from '../../server/recording/recording-files.ts';
import { fault, openRecordings, type RecordingArena } from '../support/recording-arena.ts';

async function readyRecording(arena: RecordingArena) {
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  return { id, path: join(arena.folder, `${id}.mp4`) };
}

t.test('a reference is given for a verified object, and opens its bytes', async (t) => {
  const arena = openRecordings(t);
  const { id, path } = await readyRecording(arena);
  const reference = await arena.reference('ses_1', id);
  const { byteSize = 0, sha256 = '' } = arena.row(id);
  t.strictSame(arena.finisher.verifies, [{ file: path, byteSize, sha256 }]);
  const object = await arena.services.downloads.retrieve(id, reference);
  t.match((await object.handle.readFile()).toString(), /^pictures of /);
  await object.handle.close();
  t.equal(arena.finisher.verifies.length, 1, 'a file that nobody touched is read once');
});

t.test('every touch of the file makes it be read again', async (t) => {
  const arena = openRecordings(t);
  const { id, path } = await readyRecording(arena);
  for (let touches = 1; touches <= 3; touches++) {
    await arena.services.downloads.refer('ses_1', id);
    await arena.services.downloads.refer('ses_1', id);
    t.equal(arena.finisher.verifies.length, touches);
    utimesSync(path, touches, touches);
  }
});

t.test(
  'an object that is not what its record says is never handed out, and comes back when it is mended',
  async (t) => {
    const arena = openRecordings(t);
    const { id, path } = await readyRecording(arena);
    const reference = await arena.reference('ses_1', id);
    const object = await arena.services.downloads.retrieve(id, reference);
    const bytes = await object.handle.readFile();
    await object.handle.close();
    const flipped = Buffer.from(bytes);
    flipped[3] = (flipped[3] ?? 0) ^ 1;
    const damages: readonly (() => void)[] = [
      () => writeFileSync(path, flipped),
      () => writeFileSync(path, bytes.subarray(1)),
      () => writeFileSync(path, Buffer.concat([bytes, Buffer.from('x')])),
      () => writeFileSync(path, ''),
      () => rmSync(path),
      () => symlinkSync('/etc/hostname', path),
    ];
    for (const damage of damages) {
      damage();
      await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'recording_object_invalid' });
      await t.rejects(arena.services.downloads.retrieve(id, reference), { code: 'recording_object_invalid' });
    }
    rmSync(path);
    writeFileSync(path, bytes);
    t.ok(await arena.services.downloads.refer('ses_1', id));
  },
);

t.test('simultaneous downloads share one verification', async (t) => {
  const arena = openRecordings(t);
  const { id } = await readyRecording(arena);
  await Promise.all(Array.from({ length: 20 }, () => arena.services.downloads.refer('ses_1', id)));
  t.equal(arena.finisher.verifies.length, 1);
});

t.test('a recording that is not ready is refused with the reason', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  const refer = () => arena.services.downloads.refer('ses_1', id);
  await t.rejects(refer(), { code: 'recording_not_ready', message: /is recording/ });
  arena.finisher.faults.push(fault({ retryable: true }), fault({ code: 'container_invalid', message: 'No video.' }));
  await arena.services.recordings.stop('ses_1', id);
  await t.rejects(refer(), { code: 'recording_not_ready', message: /is failed/ }, 'it is tried again');
  await arena.clock.advance(2_000);
  await arena.until(() => arena.row(id).nextAttemptAtMs === undefined && arena.row(id).status === 'failed');
  await t.rejects(refer(), { code: 'recording_failed', message: /container_invalid.*No video/ });
  await t.rejects(arena.services.downloads.refer('ses_2', id), { code: 'recording_not_found' });
  await t.rejects(arena.services.downloads.retrieve(id, 'v1.1.x'), { code: 'retrieval_reference_invalid' });
});

t.test('a finisher that is not there for once is no damage of the object', async (t) => {
  const arena = openRecordings(t);
  const { id } = await readyRecording(arena);
  const { verify } = arena.finisher;
  arena.finisher.verify = async () => {
    throw fault({ stage: 'verify', retryable: true });
  };
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'store_unavailable', retryable: true });
  arena.finisher.verify = verify;
  t.ok(await arena.services.downloads.refer('ses_1', id));
});

t.test('a file that cannot be opened for now is no damage of the object either', async (t) => {
  const arena = openRecordings(t);
  const { id } = await readyRecording(arena);
  const { finished } = RecordingFiles.prototype;
  t.teardown(() => {
    RecordingFiles.prototype.finished = finished;
  });
  // The system refuses the name; so it does when too many files are open.
  RecordingFiles.prototype.finished = () => `/${'x'.repeat(300)}`;
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'store_unavailable', retryable: true });
  t.equal(arena.faults.length, 1);
  RecordingFiles.prototype.finished = finished;
  t.ok(await arena.services.downloads.refer('ses_1', id));
});

t.test('a download that has begun ends whole while the recording is deleted under it', async (t) => {
  const arena = openRecordings(t);
  const { id } = await readyRecording(arena);
  const expected = arena.row(id).byteSize;
  // The sweep comes when the retention is over, and a reference lives for a minute only.
  await arena.clock.advance(LIMITS.recordingRetentionMs - 30_000);
  const reference = await arena.reference('ses_1', id);
  const object = await arena.services.downloads.retrieve(id, reference);
  await arena.clock.advance(30_000);
  arena.services.begin();
  await arena.clock.advance(1);
  await arena.reached(id, 'deleted');
  t.strictSame(arena.files, []);
  t.equal((await object.handle.readFile()).byteLength, expected);
  await object.handle.close();
  await t.rejects(arena.services.downloads.retrieve(id, reference), { code: 'recording_deleted' });
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'recording_deleted' });
});

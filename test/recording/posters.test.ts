import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { fault, openRecordings, type RecordingArena } from '../support/recording-arena.ts';
import { deferred } from '../support/scripted-device.ts';
import { makeReadOnly } from '../support/troubled-disk.ts';

async function readyRecording(arena: RecordingArena) {
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  const read = () => arena.services.posters.read('ses_1', id);
  return { id, read, path: join(arena.folder, `${id}.jpg`) };
}

t.test('a poster is made by the finisher when it is first asked for, and kept', async (t) => {
  const arena = openRecordings(t);
  const { id, read } = await readyRecording(arena);
  t.strictSame(arena.files, [`${id}.mp4`], 'a recording that nobody looks at costs nothing');
  const { byteSize } = arena.row(id);
  const many = await Promise.all(Array.from({ length: 20 }, read));
  t.strictSame([...new Set(many.map(String))], [`poster of ${byteSize}`]);
  t.strictSame(arena.finisher.posters, [{ file: join(arena.folder, `${id}.mp4`), byteSize }]);
  arena.restart();
  await read();
  t.equal(arena.finisher.posters.length, 1, 'also over a restart');
  t.strictSame(arena.files, [`${id}.jpg`, `${id}.mp4`]);
});

t.test('a poster goes with its recording', async (t) => {
  const arena = openRecordings(t);
  const { id, read } = await readyRecording(arena);
  await read();
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  await t.rejects(
    read(),
    { code: 'recording_deleted' },
    'not beyond its deadline, whether the sweep has come by or not',
  );
  arena.services.begin();
  await arena.clock.advance(1);
  await arena.reached(id, 'deleted');
  t.strictSame(arena.files, []);
  await t.rejects(read(), { code: 'recording_deleted' });
});

t.test('a poster that is made while its recording is deleted does not stay', async (t) => {
  const arena = openRecordings(t);
  const { id, read, path } = await readyRecording(arena);
  const patience = deferred<void>();
  arena.finisher.patience = patience.promise;
  const reading = t.rejects(read(), { code: 'recording_deleted' });
  await arena.until(() => arena.finisher.posters.length === 1);
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  arena.services.begin();
  await arena.clock.advance(1);
  await arena.reached(id, 'deleted');
  patience.resolve();
  await reading;
  t.notOk(existsSync(path));
  t.strictSame(arena.files, []);
});

t.test('drafts, and posters of recordings that are gone, are removed at a start', async (t) => {
  const arena = openRecordings(t);
  const { id, read } = await readyRecording(arena);
  await read();
  writeFileSync(join(arena.folder, `${id}.jpg.tmp`), 'half a poster');
  arena.restart();
  await arena.until(() => arena.files.length === 2);
  t.strictSame(arena.files, [`${id}.jpg`, `${id}.mp4`]);
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  await arena.reached(id, 'deleted');
  writeFileSync(join(arena.folder, `${id}.jpg`), 'left by a kill');
  arena.restart();
  await arena.until(() => arena.files.length === 0);
});

t.test('a recording without an object has no poster, and the reason is told', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  const read = () => arena.services.posters.read('ses_1', id);
  await t.rejects(read(), { code: 'recording_not_ready', message: /is recording/ });
  await t.rejects(arena.services.posters.read('ses_2', id), { code: 'recording_not_found' });
  arena.finisher.faults.push(fault({ code: 'container_invalid', message: 'No video.' }));
  await arena.services.recordings.stop('ses_1', id);
  await t.rejects(read(), { code: 'recording_failed', message: /No video/ });
  t.strictSame(arena.finisher.posters, []);
});

t.test('a damaged object is an error, trouble of the disk is another, and both can pass', async (t) => {
  const arena = openRecordings(t);
  const { read, path } = await readyRecording(arena);
  arena.finisher.posterFault = fault({ code: 'container_invalid' });
  await t.rejects(read(), { code: 'recording_object_invalid', retryable: false });
  arena.finisher.posterFault = fault({ code: 'storage_error', retryable: true });
  await t.rejects(read(), { code: 'store_unavailable', retryable: true });
  t.equal(arena.faults.length, 2, 'the log has both');
  arena.finisher.posterFault = undefined;
  t.match(String(await read()), /^poster of/);
  rmSync(path);
  t.match(String(await read()), /^poster of/, 'a poster that somebody removed is made again');
});

t.test('a poster that cannot be kept is shown all the same, and the log is told', async (t) => {
  const arena = openRecordings(t);
  const { id, read } = await readyRecording(arena);
  const writable = makeReadOnly(arena.folder);
  try {
    t.match(String(await read()), /^poster of/);
    t.equal(arena.faults.length, 1);
    t.strictSame(arena.files, [`${id}.mp4`]);
  } finally {
    writable();
  }
  await read();
  t.strictSame(arena.files, [`${id}.jpg`, `${id}.mp4`], 'it is kept when that works again');
});

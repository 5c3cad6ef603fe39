import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { fault, openRecordings, type RecordingArena } from '../support/recording-arena.ts';

const away = () => fault({ stage: 'store', message: 'Away.', retryable: true });
const open = (t: Parameters<typeof openRecordings>[0]) => openRecordings(t, { hasObjectStore: true });

async function recorded(arena: RecordingArena): Promise<string> {
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  if (arena.row(id).objectKey !== undefined) await cleared(arena, id);
  return id;
}

/** Waits until nothing of it is on the disk but its poster: a folder is not removed while files come and go in it. */
const cleared = (arena: RecordingArena, id: string) =>
  arena.until(() => arena.files.join() === `${id}.jpg`, 'the file to leave the disk');

t.test('a recording is ready once its object is stored, and only its poster stays on the disk', async (t) => {
  const arena = open(t);
  const id = await recorded(arena);
  const key = `recordings/${id}.mp4`;
  t.match(arena.row(id), { status: 'ready', objectKey: key });
  t.match(arena.finisher.stored.get(key)?.toString(), /^pictures of /);
  t.strictSame(arena.files, [`${id}.jpg`]);
  t.match((await arena.services.posters.read('ses_1', id)).toString(), /^poster of /);
  t.same(await arena.services.downloads.refer('ses_1', id), { url: `https://store.example/${key}?for=60` });
});

t.test('while the store is away a recording waits on the disk, and uses up no try', async (t) => {
  const arena = open(t);
  arena.finisher.storeFaults.push(away(), ...Array.from({ length: 20 }, away));
  const id = await recorded(arena);
  t.match(arena.services.recordings.read('ses_1', id), {
    status: 'failed',
    failure: { stage: 'store', code: 'storage_error', retryable: true, nextAttemptAt: /^2026-/ },
  });
  for (let looks = 0; looks < 20; looks++) {
    const dueMs = arena.row(id).nextAttemptAtMs ?? 0;
    await arena.clock.advance(120_000);
    await arena.until(() => (arena.row(id).nextAttemptAtMs ?? 0) > dueMs || arena.finisher.storeFaults.length === 0);
  }
  t.equal(arena.row(id).tries, 1);
  await arena.clock.advance(120_000);
  await arena.reached(id, 'ready');
  t.equal(arena.finisher.stored.size, 1);
  await cleared(arena, id);
});

t.test('a kill behind the upload, and one before the file was removed, lose nothing', async (t) => {
  const arena = open(t);
  const id = await recorded(arena);
  const path = join(arena.folder, `${id}.mp4`);
  const bytes = arena.finisher.stored.get(`recordings/${id}.mp4`) ?? '';
  arena.kill();
  writeFileSync(path, bytes);
  arena.restart();
  await arena.until(() => !existsSync(path), 'the file to be removed');
  t.match(arena.row(id), { status: 'ready' });
  t.strictSame(arena.files, [`${id}.jpg`]);
});

t.test('what the store has lost is not handed out, and a store that is away says so', async (t) => {
  const arena = open(t);
  const id = await recorded(arena);
  arena.finisher.storeFaults.push(away());
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'store_unavailable' });
  arena.finisher.stored.clear();
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'recording_object_invalid' });
});

t.test('at its deadline the object is deleted before the record says so', async (t) => {
  const arena = open(t);
  const id = await recorded(arena);
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  arena.finisher.storeFaults.push(away());
  arena.services.begin();
  await arena.clock.advance(1);
  await arena.until(() => arena.finisher.storeCalls.at(-1) === 'delete');
  t.equal(arena.row(id).status, 'deleting');
  t.equal(arena.finisher.stored.size, 1);
  await arena.clock.advance(60_000);
  await arena.reached(id, 'deleted');
  t.equal(arena.finisher.stored.size, 0);
});

t.test('a recording of before there was a store is deleted at its deadline, whatever the store does', async (t) => {
  const options = { hasObjectStore: false };
  const arena = openRecordings(t, options);
  const id = await recorded(arena);
  options.hasObjectStore = true;
  arena.restart();
  arena.finisher.storeFaults.push(...Array.from({ length: 9 }, away));
  t.ok('reference' in (await arena.services.downloads.refer('ses_1', id)), 'it is still had from here');
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  await arena.reached(id, 'deleted');
  t.strictSame([arena.files, arena.finisher.storeCalls], [[], []]);
});

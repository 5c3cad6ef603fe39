import { existsSync, statfsSync, truncateSync } from 'node:fs';
import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { fault, openRecordings } from '../support/recording-arena.ts';

const later = () => fault({ code: 'storage_full', stage: 'store', message: 'No space.', retryable: true });

t.test('a failure that may pass is told with its next try, and tried again until it passes', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(later(), later());
  const id = await arena.start(arena.session());
  const stopped = await arena.services.recordings.stop('ses_1', id);
  t.match(stopped, {
    status: 'failed',
    failure: { stage: 'store', code: 'storage_full', retryable: true, action: /Poll/, nextAttemptAt: /^2026-/ },
  });
  const waitMs = Date.parse(stopped.failure?.nextAttemptAt ?? '') - arena.clock.wallMs();
  t.equal(waitMs, 2_000);
  await arena.clock.advance(waitMs - 1);
  t.equal(arena.finisher.finishes.length, 1);
  await arena.clock.advance(1);
  await arena.until(() => arena.row(id).tries === 2 && arena.row(id).status === 'failed');
  await arena.clock.advance(8_000);
  const row = await arena.reached(id, 'ready');
  t.match(row, { tries: 3 });
  t.equal(arena.services.recordings.read('ses_1', id).failure, undefined);
  t.strictSame(arena.events(id).slice(4), [
    'failed failed',
    'retry_scheduled failed',
    'retry_scheduled finalizing',
    'failed failed',
    'retry_scheduled failed',
    'retry_scheduled finalizing',
    'container_verified finalizing',
    'stored finalizing',
    'ready ready',
  ]);
  t.strictSame(arena.faults, []);
});

t.test('while the disk has no room for the object no try is used up, and it becomes ready when there is', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(...Array.from({ length: LIMITS.recordingFinalizeTries - 1 }, later));
  const session = arena.session();
  const id = await arena.start(session);
  const { partFile } = session.device.last.order;
  const { bavail, bsize } = statfsSync(arena.folder);
  // All holes: it takes no room, but a copy of it would.
  truncateSync(partFile, bavail * bsize + 2 ** 30);
  await arena.services.recordings.stop('ses_1', id);
  const lookAgain = async () => {
    const dueMs = arena.row(id).nextAttemptAtMs ?? 0;
    await arena.clock.advance(120_000);
    await arena.until(() => (arena.row(id).nextAttemptAtMs ?? 0) > dueMs, 'another look at the disk to be planned');
  };
  for (let waits = 0; waits < 2 * LIMITS.recordingFinalizeTries; waits++) await lookAgain();
  t.match(arena.row(id), { status: 'failed', tries: 1, failure: { code: 'storage_full', retryable: true } });
  t.equal(arena.finisher.finishes.length, 1);
  t.match(arena.services.recordings.read('ses_1', id).failure?.nextAttemptAt, /^2026-/);
  t.equal(arena.events(id).length, 6, 'waiting makes no events');
  arena.restart();
  await lookAgain();
  t.equal(arena.finisher.finishes.length, 1, 'after a restart it waits as before');
  truncateSync(partFile, 8);
  for (let tries = 2; tries <= LIMITS.recordingFinalizeTries; tries++) {
    await arena.clock.advance(120_000);
    await arena.until(() => arena.row(id).tries >= tries && arena.row(id).status !== 'finalizing', `try ${tries}`);
  }
  await arena.reached(id, 'ready');
  t.strictSame(arena.faults, []);
});

t.test(
  'after five tries it is final; what a disk refused is kept for as long as the recording would have been',
  async (t) => {
    const arena = openRecordings(t);
    arena.finisher.faults.push(...Array.from({ length: LIMITS.recordingFinalizeTries }, later));
    const id = await arena.start(arena.session());
    await arena.services.recordings.stop('ses_1', id);
    for (let tries = 2; tries <= LIMITS.recordingFinalizeTries; tries++) {
      await arena.clock.advance(120_000);
      await arena.until(() => arena.row(id).tries >= tries && arena.row(id).status === 'failed', `try ${tries}`);
    }
    await arena.clock.advance(3_600_000);
    t.equal(arena.finisher.finishes.length, LIMITS.recordingFinalizeTries);
    const { failure } = arena.services.recordings.read('ses_1', id);
    t.match(failure, { code: 'storage_full', retryable: false, action: /disk space/ });
    t.equal(failure?.nextAttemptAt, undefined);
    t.equal((await arena.services.recordings.stop('ses_1', id)).status, 'failed', 'a stop changes nothing');
    const kept = [`${id}.journal`, `${id}.part.mp4`];
    arena.restart();
    await arena.clock.advance(60_000);
    t.strictSame(arena.files, kept, 'also at the next start');
    for (let days = 0; days < 8; days++) {
      await arena.clock.advance(LIMITS.recordingRetentionMs / 7);
      await arena.until(() => arena.clock.waiting > 0, 'the next sweep to be planned');
    }
    await arena.reached(id, 'deleted');
    t.strictSame(arena.files, []);
  },
);

t.test('of a capture that is no good nothing is left after its last try', async (t) => {
  const arena = openRecordings(t);
  const torn = () => fault({ code: 'container_invalid', stage: 'verify', retryable: true });
  arena.finisher.faults.push(...Array.from({ length: LIMITS.recordingFinalizeTries }, torn));
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  for (let tries = 2; tries <= LIMITS.recordingFinalizeTries; tries++) {
    await arena.clock.advance(120_000);
    await arena.until(() => arena.row(id).tries >= tries && arena.row(id).status === 'failed', `try ${tries}`);
  }
  t.match(arena.row(id).failure, { code: 'container_invalid', retryable: false });
  await arena.until(() => arena.files.length === 0);
});

t.test('a failure that will not pass is final at once, and is told to the log', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(fault({ stage: 'verify', code: 'container_invalid' }));
  const id = await arena.start(arena.session());
  t.match(await arena.services.recordings.stop('ses_1', id), {
    status: 'failed',
    failure: { stage: 'verify', code: 'container_invalid', retryable: false },
  });
  await arena.clock.advance(3_600_000);
  t.equal(arena.finisher.finishes.length, 1);
  t.equal(arena.faults.length, 1);
  t.strictSame(arena.files, []);
});

t.test('a session may record again while an old finalization waits for its next try', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  arena.finisher.faults.push(later());
  const first = await arena.start(session);
  await arena.services.recordings.stop('ses_1', first);
  const second = await arena.start(session);
  await arena.clock.advance(2_000);
  await arena.reached(first, 'ready');
  t.equal(arena.row(second).status, 'recording');
  t.equal((await arena.services.recordings.stop('ses_1', second)).status, 'ready');
});

t.test('a recording whose last words the database could not keep is taken up again by itself', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  const { recordings } = arena.store;
  const { update } = recordings;
  let refused = 0;
  recordings.update = (row, patch, events) => {
    if (patch.status !== 'ready' && patch.status !== 'failed') return update.call(recordings, row, patch, events);
    refused++;
    throw new Error('the disk is full');
  };
  t.equal((await arena.services.recordings.stop('ses_1', id)).status, 'finalizing');
  t.equal(refused, 2, 'neither the success nor the failure was kept');
  t.equal(arena.faults.length, 1);
  recordings.update = update;
  await arena.clock.advance(120_000);
  await arena.reached(id, 'ready');
});

t.test('a room that is closed plans and writes nothing more', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(later());
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  arena.services.close();
  t.equal(arena.clock.waiting, 0);
  await arena.clock.advance(3_600_000);
  t.equal(arena.row(id).status, 'failed');
  t.equal(arena.finisher.finishes.length, 1);
});

t.test(
  'files that are left because the disk stalls are removed when it goes on, and that is reported once',
  async (t) => {
    const arena = openRecordings(t);
    const session = arena.session();
    const id = await arena.start(session);
    const { partFile } = session.device.last.order;
    let asked = 0;
    arena.durable = async () => {
      asked++;
      throw new ServiceError('store_unavailable');
    };
    await t.rejects(arena.services.recordings.stop('ses_1', id), { code: 'store_unavailable' });
    await arena.reached(id, 'ready');
    for (const before of [asked, asked + 1]) {
      await arena.clock.advance(120_000);
      await arena.until(() => asked > before, 'another look at the disk');
    }
    t.ok(existsSync(partFile), 'a power cut may take the object back');
    arena.durable = async () => undefined;
    await arena.clock.advance(120_000);
    await arena.until(() => !existsSync(partFile), 'the files to be removed');
    t.equal(arena.faults.length, 1);
  },
);

import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@runcloud/protocol/terms';
import t from 'tap';
import { RECOVERIES_MAX } from '../../server/recording/finalizer.ts';
import { fault, openRecordings } from '../support/recording-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

t.test('a recording that was running when the server was killed becomes ready at the next start', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  arena.restart();
  t.equal(arena.row(id).status, 'finalizing', 'written before any request is served');
  const row = await arena.reached(id, 'ready');
  t.equal((row.stoppedAtMs ?? 0) - (row.startedAtMs ?? 0), 1_500, 'its length is that of the file');
  t.strictSame(arena.events(id).slice(2), [
    'recovered finalizing',
    'container_verified finalizing',
    'stored finalizing',
    'ready ready',
  ]);
  await arena.until(() => arena.files.length === 1);
  t.strictSame(arena.files, [`${id}.mp4`]);
});

t.test(
  'a recording that was starting is finalized if it had begun, and fails with the reason if it had not',
  async (t) => {
    const arena = openRecordings(t);
    const begun = arena.session('ses_1');
    const never = arena.session('ses_2');
    for (const session of [begun, never]) {
      session.device.patientStart = true;
      arena.services.recordings.start(session).catch(() => undefined);
    }
    await arena.until(() => begun.device.captures.length + never.device.captures.length === 2);
    writeFileSync(begun.device.last.order.partFile, 'pictures');
    arena.restart();
    const [one] = arena.services.recordings.list('ses_1', WHOLE).items;
    const [other] = arena.services.recordings.list('ses_2', WHOLE).items;
    await arena.reached(one?.id ?? '', 'ready');
    const failed = await arena.reached(other?.id ?? '', 'failed');
    t.match(failed.failure, { stage: 'capture', code: 'capture_interrupted', retryable: false });
    t.match(arena.services.recordings.read('ses_2', failed.id).failure?.message, /before any picture/);
  },
);

t.test('a finalization that was interrupted is done again, and its tries are not used up by that', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  arena.finisher.patience = new Promise(() => undefined);
  void arena.services.recordings.stop('ses_1', id);
  await arena.until(() => arena.finisher.finishes.length === 1);
  for (let kills = 1; kills <= 6; kills++) {
    arena.restart();
    t.match(arena.row(id), { status: 'finalizing', tries: 1, recoveries: kills });
  }
  arena.finisher.patience = undefined;
  arena.restart();
  await arena.reached(id, 'ready');
});

t.test('a recording that takes the server down each time is given up at last', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  arena.finisher.patience = new Promise(() => undefined);
  for (let kills = 0; kills < RECOVERIES_MAX; kills++) arena.restart();
  t.equal(arena.row(id).status, 'finalizing');
  arena.restart();
  t.match(arena.row(id), { status: 'failed', failure: { code: 'container_invalid', retryable: false } });
});

t.test('a try that is due keeps its time over a restart, whatever happened to the clock', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(fault({ retryable: true }));
  const id = await arena.start(arena.session());
  await arena.services.recordings.stop('ses_1', id);
  arena.clock.jumpWall(-86_400_000);
  arena.restart();
  t.equal(arena.row(id).status, 'failed');
  await arena.clock.advance(120_000);
  await arena.reached(id, 'ready');
});

t.test('files that no record needs go, those that are needed stay, and what is not ours is not touched', async (t) => {
  const arena = openRecordings(t);
  const ready = await arena.start(arena.session('ses_1'));
  await arena.services.recordings.stop('ses_1', ready);
  arena.finisher.faults.push(fault({ retryable: true }));
  const waiting = await arena.start(arena.session('ses_2'));
  await arena.services.recordings.stop('ses_2', waiting);
  arena.finisher.faults.push(fault({ code: 'container_invalid' }));
  const failed = await arena.start(arena.session('ses_3'));
  await arena.services.recordings.stop('ses_3', failed);
  const [unknown, old] = [newId('rec'), newId('rec')];
  const put = (name: string) => writeFileSync(join(arena.folder, name), 'x');
  for (const id of [ready, failed, unknown]) {
    for (const end of ['.part.mp4', '.journal', '.mp4.tmp']) put(`${id}${end}`);
  }
  for (const name of [`${failed}.mp4`, `${unknown}.mp4`, `${old}.mp4`]) put(name);
  utimesSync(join(arena.folder, `${old}.mp4`), 0, 0);
  // A file that is new by the machine's clock is new by the arena's as well.
  utimesSync(join(arena.folder, `${unknown}.mp4`), arena.clock.wallMs() / 1_000, arena.clock.wallMs() / 1_000);
  const foreign = ['notes.txt', 'rec_short.mp4', `${unknown}.mov`, `${unknown}.mp4.bak`, `x${unknown}.journal`];
  for (const name of foreign) put(name);
  mkdirSync(join(arena.folder, `${newId('rec')}.journal`));
  symlinkSync('/etc/hostname', join(arena.folder, `${newId('rec')}.journal`));
  const odd = arena.files.filter((name) => name.endsWith('.journal') && !name.includes(unknown)).length;
  arena.restart();
  const kept = [`${ready}.mp4`, `${waiting}.part.mp4`, `${waiting}.journal`, `${unknown}.mp4`, ...foreign];
  await arena.until(
    () => arena.files.every((name) => kept.includes(name) || /journal$/.test(name)),
    'the strays to go',
  );
  for (const name of kept) t.ok(arena.files.includes(name), name);
  t.equal(arena.files.length, kept.length + 2, `${odd}: a folder and a link with our names are not ours`);
  t.strictSame(arena.faults.length, 1, 'the container that was invalid');
});

t.test('a change that the database could not store while the server runs is recovered within a minute', async (t) => {
  const arena = openRecordings(t);
  arena.services.begin();
  const session = arena.session();
  const id = await arena.start(session);
  const { recordings } = arena.store;
  const { update } = recordings;
  recordings.update = () => {
    throw new Error('the disk is full');
  };
  await t.rejects(arena.services.recordings.stop('ses_1', id), { message: 'the disk is full' });
  recordings.update = update;
  await arena.clock.advance(1);
  await arena.until(() => arena.clock.waiting > 0, 'the next look to be planned');
  await arena.clock.advance(60_000);
  await arena.reached(id, 'ready');
});

t.test('a look that fails is told to the log, and the next one comes all the same', async (t) => {
  const arena = openRecordings(t);
  arena.services.begin();
  const { recordings } = arena.store;
  const { unsettled } = recordings;
  recordings.unsettled = () => {
    throw new Error('the disk is gone');
  };
  await arena.clock.advance(1);
  await arena.until(() => arena.clock.waiting > 0, 'the next look to be planned');
  t.match(arena.faults, [{ message: 'the disk is gone' }, { message: 'the disk is gone' }], 'by both who look');
  recordings.unsettled = unsettled;
  await arena.clock.advance(60_000);
  await arena.until(() => arena.clock.waiting > 0);
  t.equal(arena.faults.length, 2);
});

import { LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { RecordingFiles } from '../../server/recording/recording-files.ts';
import { Retention } from '../../server/recording/retention.ts';
import { fault, openRecordings, type RecordingArena } from '../support/recording-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

const DAY = 86_400_000;

async function readyRecording(arena: RecordingArena, session = 'ses_1'): Promise<string> {
  const id = await arena.start(arena.session(session));
  await arena.services.recordings.stop(session, id);
  return id;
}

/** Turns the clock as a running server sees it: sweep by sweep. */
async function pass(arena: RecordingArena, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= DAY / 4) {
    await arena.until(() => arena.clock.waiting > 0, 'the next sweep to be planned');
    await arena.clock.advance(Math.min(left, DAY / 4));
  }
  await arena.until(() => arena.clock.waiting > 0, 'the last sweep to end');
}

t.test('a recording lives for seven days, its record goes on', async (t) => {
  const arena = openRecordings(t);
  arena.services.begin();
  const id = await readyRecording(arena);
  await pass(arena, LIMITS.recordingRetentionMs - 1_000);
  t.equal(arena.row(id).status, 'ready');
  await pass(arena, 62_000);
  await arena.reached(id, 'deleted');
  t.strictSame(arena.files, []);
  t.strictSame(arena.events(id).slice(-2), ['retention_started deleting', 'deleted deleted']);
  t.strictSame(arena.services.recordings.list('ses_1', WHOLE).items, [], 'lists leave it out');
  const { downloadUrl, checksum, status } = arena.services.recordings.read('ses_1', id);
  t.strictSame([status, downloadUrl, checksum], ['deleted', undefined, undefined]);
  await pass(arena, 2 * DAY);
  t.equal(arena.row(id).status, 'deleted');
  t.strictSame(arena.faults, []);
});

t.test('a failed recording goes as well, and so does one whose next try is due', async (t) => {
  const arena = openRecordings(t);
  arena.finisher.faults.push(fault({ code: 'container_invalid' }));
  const final = await readyRecording(arena, 'ses_1');
  arena.finisher.faults.push(fault({ retryable: true }));
  const waiting = await readyRecording(arena, 'ses_2');
  arena.kill();
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  arena.restart();
  await arena.clock.advance(1);
  await arena.reached(final, 'deleted');
  // Where the try came first, the next sweep takes it.
  await pass(arena, 60_000);
  await arena.reached(waiting, 'deleted');
  await arena.clock.advance(10_000);
  t.equal(arena.row(waiting).status, 'deleted');
  t.strictSame(arena.files, []);
});

t.test('nothing is deleted while the clock was set, and the log is told once', async (t) => {
  const arena = openRecordings(t);
  arena.services.begin();
  const id = await readyRecording(arena);
  await pass(arena, 60_000);
  arena.clock.jumpWall(3_650 * DAY);
  for (let hour = 0; hour < 20; hour++) await pass(arena, 3_600_000);
  t.equal(arena.row(id).status, 'ready');
  t.equal(arena.doubts.length, 1);
  arena.clock.jumpWall(-3_650 * DAY);
  await pass(arena, DAY);
  t.equal(arena.row(id).status, 'ready', 'the clock was right again, and nothing is lost');
  t.equal((await arena.reference('ses_1', id)).length > 0, true);
});

t.test('a deletion that was interrupted at any step is finished at the next start', async (t) => {
  const arena = openRecordings(t);
  const id = await readyRecording(arena);
  const { recordings } = arena.store;
  const { update } = recordings;
  recordings.update = (row, patch, events) => {
    if (patch.status === 'deleted') throw new Error('killed before the last write');
    return update.call(recordings, row, patch, events);
  };
  arena.services.begin();
  await pass(arena, LIMITS.recordingRetentionMs + 61_000);
  await arena.reached(id, 'deleting');
  t.strictSame(arena.files, [], 'its bytes are gone');
  arena.restart();
  await arena.clock.advance(1);
  await arena.reached(id, 'deleted');
});

t.test('bytes that cannot be removed are tried again, and nobody can read them meanwhile', async (t) => {
  const arena = openRecordings(t);
  const id = await readyRecording(arena);
  arena.services.begin();
  await arena.clock.advance(1);
  const { removeAll } = RecordingFiles.prototype;
  RecordingFiles.prototype.removeAll = async () => {
    throw new Error('EIO');
  };
  t.teardown(() => {
    RecordingFiles.prototype.removeAll = removeAll;
  });
  await pass(arena, LIMITS.recordingRetentionMs + 61_000);
  await arena.reached(id, 'deleting');
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'recording_deleted' });
  RecordingFiles.prototype.removeAll = removeAll;
  await pass(arena, 61_000);
  await arena.reached(id, 'deleted');
  t.strictSame(arena.files, []);
});

t.test('past its deadline a recording cannot be had, before the sweep has come by', async (t) => {
  const arena = openRecordings(t);
  const id = await readyRecording(arena);
  const reference = await arena.reference('ses_1', id);
  await arena.clock.advance(LIMITS.recordingRetentionMs);
  t.equal(arena.row(id).status, 'ready');
  await t.rejects(arena.services.downloads.refer('ses_1', id), { code: 'recording_deleted' });
  await t.rejects(arena.services.downloads.retrieve(id, reference), { code: 'retrieval_reference_invalid' });
});

t.test('objects of other kinds go at their deadline, and a store in trouble is asked again', async (t) => {
  const gone: string[] = [];
  const kept: string[] = [];
  const faults: string[] = [];
  let trouble = true;
  const due = ['rec_1', 'rec_2'];
  const retention = new Retention({
    store: { due: () => [], unsettled: () => [], clockSeenAtMs: () => undefined, setClockSeenAtMs: () => undefined },
    log: undefined as never,
    files: undefined as never,
    others: [
      {
        due: (atMs) => due.filter((id) => atMs === 7 && !kept.includes(id)).map((id) => ({ id })),
        remove: async (id) => {
          if (id === 'rec_1' && trouble) throw new Error('the store is away');
          gone.push(id);
        },
        deleted: async (id) => void kept.push(id),
      },
    ],
    clock: { nowMs: () => 7 },
    onFault: (error) => faults.push(String(error)),
    onDoubt: () => undefined,
  });
  await retention.sweep();
  t.strictSame([gone, kept, faults], [['rec_2'], ['rec_2'], ['Error: the store is away']]);
  trouble = false;
  await retention.sweep();
  await retention.sweep();
  t.strictSame([gone, kept, faults.length], [['rec_2', 'rec_1'], ['rec_2', 'rec_1'], 1]);
});

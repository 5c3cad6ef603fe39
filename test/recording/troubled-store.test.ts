import { LIMITS, ServiceError } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { settled } from '../support/fake-clock.ts';
import { fault, openRecordings, type RecordingArena } from '../support/recording-arena.ts';
import { deferred } from '../support/scripted-device.ts';
import { standing } from '../support/session-arena.ts';

/** Storage that cannot be written for a while: nothing that was recorded is lost, and nothing is recorded unknown. */

const WHOLE = [
  'created starting',
  'capture_started recording',
  'stop_requested finalizing',
  'capture_stopped finalizing',
  'container_verified finalizing',
  'stored finalizing',
  'ready ready',
];
/** Writes in the life of a recording: its row, that it has begun, its stop, how the capture stopped, and its object. */
const WRITES = 5;

/** Puts trouble in front of the tables; `fails` is asked with the number of each write, from 0. */
function trouble({ store: { recordings } }: RecordingArena, fails: (write: number) => boolean) {
  const { insert, update } = recordings;
  const control = { fails, writes: 0 };
  const meet = () => {
    if (control.fails(control.writes++)) throw new ServiceError('store_unavailable');
  };
  recordings.insert = (row, event) => {
    meet();
    insert.call(recordings, row, event);
  };
  recordings.update = (row, patch, events) => {
    meet();
    return update.call(recordings, row, patch, events);
  };
  return control;
}

const TURN_MS = 50;

/** Files take their own time, which the test's clock does not have. */
async function filesAreDone(): Promise<void> {
  do await new Promise((resolve) => setTimeout(resolve, 1));
  while (process.getActiveResourcesInfo().some((kind) => kind.startsWith('FSReq')));
}

/** Turns the clock until the work has settled. */
async function settleInTime<T>(arena: RecordingArena, work: Promise<T>): Promise<T> {
  for (let turns = 0; turns < 1_000 && (await standing(work)) === 'pending'; turns++) {
    await filesAreDone();
    await arena.clock.advance(TURN_MS);
  }
  return work;
}

/** Repeats what is refused for now, as a caller does; each refusal comes in time. */
async function untilDone<T>(t: Test, arena: RecordingArena, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const askedMs = arena.clock.monotonicMs();
    try {
      return await settleInTime(arena, ask());
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error;
      t.ok(arena.clock.monotonicMs() - askedMs <= LIMITS.storeWaitMsMax + TURN_MS, 'refused in time');
      await arena.clock.advance(1_000);
    }
  }
}

for (const lastingMs of [0, 3_000]) {
  for (let failing = 0; failing < WRITES; failing++) {
    const name = lastingMs === 0 ? 'fails once' : `fails for ${lastingMs} ms`;
    t.test(`a recording of which write ${failing} ${name} is ready and whole, and the next one starts`, async (t) => {
      const arena = openRecordings(t);
      const session = arena.session();
      let untilMs: number | undefined;
      trouble(arena, (write) => {
        if (untilMs === undefined && write !== failing) return false;
        untilMs ??= arena.clock.monotonicMs() + lastingMs;
        const isFirst = write === failing;
        return isFirst || arena.clock.monotonicMs() < untilMs;
      });
      if (failing === 0) {
        await t.rejects(arena.services.recordings.start(session, 'k'), { code: 'store_unavailable', retryable: true });
        t.equal(session.device.captures.length, 0, 'nothing is captured');
        await arena.clock.advance(lastingMs);
      }
      const { created, record } = await untilDone(t, arena, () => arena.services.recordings.start(session, 'k'));
      t.match({ created, record }, { created: true, record: { status: 'recording' } });
      const stopped = await untilDone(t, arena, () => arena.services.recordings.stop('ses_1', record.id));
      t.match(stopped, { status: 'ready', durationMs: 1_500 });
      t.strictSame(arena.events(record.id), WHOLE);
      t.strictSame(arena.files, [`${record.id}.mp4`]);
      t.equal(session.device.last.stops, 1);
      t.equal(arena.finisher.finishes.length, 1);
      const next = await arena.start(session);
      t.equal((await arena.services.recordings.stop('ses_1', next)).status, 'ready');
      // A beginning that was given up meanwhile is a write that waits no more: what fails behind it is told anew.
      const told = failing === 0 ? 0 : failing === 1 && lastingMs > 0 ? 2 : 1;
      t.equal(arena.faults.length, told, 'the log is told once');
    });
  }
}

t.test('a stop that cannot be written stops the device at once, and its events tell when that was', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  await arena.clock.advance(2_000);
  const stoppedAtMs = arena.clock.wallMs();
  const control = trouble(arena, () => true);
  const stop = arena.services.recordings.stop('ses_1', id);
  await settled();
  t.equal(session.device.last.stops, 1);
  t.equal(arena.row(id).status, 'recording', 'as it was written last');
  await arena.clock.advance(LIMITS.storeWaitMsMax - 1);
  t.equal(await standing(stop), 'pending');
  await arena.clock.advance(1);
  await t.rejects(stop, { code: 'store_unavailable', retryable: true, retryAfterSeconds: 1 });
  await t.rejects(
    arena.services.recordings.start(session),
    { code: 'store_unavailable' },
    'it has ended, says nobody yet',
  );
  await t.rejects(arena.services.recordings.stop('ses_1', id), { code: 'store_unavailable' }, 'and nobody waits again');
  control.fails = () => false;
  t.match(await settleInTime(arena, arena.services.recordings.stop('ses_1', id)), { status: 'ready' });
  t.strictSame(arena.events(id), WHOLE);
  const events = arena.store.recordingEvents.list(id);
  t.strictSame(
    events.slice(2, 4).map(({ atMs }) => atMs),
    [stoppedAtMs, stoppedAtMs],
  );
  t.equal(arena.row(id).stoppedAtMs, stoppedAtMs);
  t.equal((await arena.services.recordings.start(session)).created, true);
});

t.test('a start that finds a stop unwritten writes it first when storage is back', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  const control = trouble(arena, () => true);
  const stop = t.rejects(arena.services.recordings.stop('ses_1', id), { code: 'store_unavailable' });
  await arena.clock.advance(5_000);
  await stop;
  control.fails = () => false;
  await t.rejects(arena.services.recordings.start(session), {
    code: 'recording_already_active',
    message: /finalizing/,
  });
  t.match(await arena.services.recordings.stop('ses_1', id), { status: 'ready' });
  t.equal((await arena.services.recordings.start(session)).created, true);
});

t.test('a capture whose beginning cannot be written is given up, and the same request starts another', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const control = trouble(arena, (write) => write > 0);
  const start = arena.services.recordings.start(session, 'k');
  start.catch(() => undefined);
  await arena.until(() => session.device.captures.length > 0);
  await arena.clock.advance(LIMITS.storeWaitMsMax);
  await t.rejects(settleInTime(arena, start), { code: 'store_unavailable', retryable: true });
  t.equal(session.device.last.stops, 1, 'nobody is recorded without knowing of it');
  t.strictSame(arena.files, []);
  await t.rejects(arena.services.recordings.start(session, 'k'), { code: 'store_unavailable' });
  control.fails = () => false;
  const { created, record } = await arena.services.recordings.start(session, 'k');
  t.equal(created, true);
  const [, refused] = arena.services.recordings.list('ses_1', { limit: 10 }).items;
  t.match(refused, { status: 'failed', failure: { stage: 'store', code: 'storage_error', retryable: false } });
  t.equal((await arena.services.recordings.stop('ses_1', record.id)).status, 'ready');
  t.strictSame(arena.files, [`${record.id}.mp4`]);
});

for (const ending of [
  'limit',
  'headroom',
  fault({ stage: 'capture', code: 'device_lost', message: 'Gone.' }),
] as const) {
  const name = typeof ending === 'string' ? ending : ending.code;
  t.test(`a capture that ends by itself (${name}) while nothing can be written is ready afterwards`, async (t) => {
    const arena = openRecordings(t);
    const session = arena.session();
    const id = await arena.start(session);
    const endedAtMs = arena.clock.wallMs();
    const control = trouble(arena, () => true);
    session.device.last.end(ending);
    await arena.clock.advance(120_000);
    t.equal(arena.row(id).status, 'recording');
    control.fails = () => false;
    await arena.clock.advance(2_000);
    await arena.reached(id, 'ready');
    const [, , stopped] = arena.store.recordingEvents.list(id);
    t.match(stopped, { type: 'capture_stopped', atMs: endedAtMs });
    t.notOk(arena.events(id).some((event) => event.startsWith('recovered')));
    t.equal((await arena.services.recordings.start(session)).created, true);
  });
}

t.test('a release waits for storage no longer than it may, and the recording is ready afterwards', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  const control = trouble(arena, () => true);
  const release = arena.services.recordings.endOf('ses_1');
  await settled();
  t.equal(session.device.last.stops, 1);
  await arena.clock.advance(LIMITS.storeWaitMsMax);
  await release;
  await arena.clock.advance(300_000);
  control.fails = () => false;
  await arena.clock.advance(2_000);
  await arena.reached(id, 'ready');
  t.strictSame(arena.events(id), WHOLE);
});

t.test('a server that ends before storage is back leaves the recording to the next start', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  trouble(arena, () => true);
  arena.services.recordings.drain();
  const release = arena.services.recordings.endOf('ses_1');
  await arena.clock.advance(6_000);
  await release;
  t.equal(session.device.last.stops, 1);
  arena.restart();
  await arena.reached(id, 'ready');
  t.equal(arena.faults.length, 1, 'what the end cuts off is no fault');
});

/** A disk that brings nothing to rest until it is told to. */
function slowDisk(arena: RecordingArena) {
  const waiting: ReturnType<typeof deferred<void>>[] = [];
  arena.durable = () => {
    const wait = deferred<void>();
    waiting.push(wait);
    return wait.promise;
  };
  return {
    async settle() {
      for (; waiting.length > 0; await settled()) waiting.shift()?.resolve();
    },
    fail() {
      arena.durable = async () => {
        throw new ServiceError('store_unavailable');
      };
      for (const wait of waiting.splice(0)) wait.reject(new ServiceError('store_unavailable'));
    },
  };
}

t.test('changes are answered and reported in order, when they are on disk', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const disk = slowDisk(arena);
  const start = arena.services.recordings.start(session);
  await arena.until(() => arena.store.recordings.active('ses_1')?.status === 'recording');
  t.equal(await standing(start), 'pending');
  t.strictSame(arena.told, []);
  await disk.settle();
  const { id } = (await start).record;
  t.strictSame(arena.told, [`${id} starting`, `${id} recording`]);
  const stop = arena.services.recordings.stop('ses_1', id);
  await arena.until(() => arena.row(id).status === 'ready');
  t.equal(await standing(stop), 'pending');
  t.ok(arena.files.includes(`${id}.part.mp4`), 'what it is made of is kept until the record is');
  while ((await standing(stop)) === 'pending') await disk.settle();
  t.equal((await stop).status, 'ready');
  t.strictSame(arena.told.slice(2), [`${id} finalizing`, `${id} ready`]);
  t.strictSame(arena.files, [`${id}.mp4`]);
});

t.test('a start that the disk does not keep is refused, and nothing is recorded any more', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const disk = slowDisk(arena);
  const start = arena.services.recordings.start(session);
  start.catch(() => undefined);
  await arena.until(() => arena.store.recordings.active('ses_1')?.status === 'recording');
  disk.fail();
  await t.rejects(start, { code: 'store_unavailable' });
  await arena.until(() => session.device.last.stops === 1, 'the capture to be stopped');
});

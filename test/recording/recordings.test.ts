import t from 'tap';
import { canTransition } from '../../server/recording/lifecycle.ts';
import { settled } from '../support/fake-clock.ts';
import { fault, openRecordings } from '../support/recording-arena.ts';
import { standing } from '../support/session-arena.ts';
import { WHOLE } from '../support/whole-list.ts';

const READY = ['container_verified finalizing', 'stored finalizing', 'ready ready'];

t.test('a recording goes from start to ready, tells each step, and leaves nothing but its file', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const { created, record } = await arena.services.recordings.start(session);
  t.equal(created, true);
  t.match(record, { status: 'recording', sessionId: 'ses_1', organizationId: 'org_acme', startedAt: /^2026-/ });
  t.same(Object.keys(record).sort(), ['createdAt', 'id', 'organizationId', 'sessionId', 'startedAt', 'status']);
  t.match(session.device.last.order, { maxDurationMs: 60_000, headroomBytes: 1 });
  await arena.clock.advance(2_500);
  const stopped = await arena.services.recordings.stop('ses_1', record.id);
  t.match(stopped, {
    status: 'ready',
    contentType: 'video/mp4',
    checksum: /^sha256:[0-9a-f]{64}$/,
    etag: /^"sha256-[0-9a-f]{64}"$/,
    durationMs: 1_500,
    downloadUrl: `/service/ios/ses_1/recordings/${record.id}/download`,
  });
  t.equal(Date.parse(stopped.retentionExpiresAt ?? '') - Date.parse(stopped.createdAt), 7 * 86_400_000);
  t.equal(Date.parse(stopped.stoppedAt ?? '') - Date.parse(stopped.startedAt ?? ''), 2_500);
  t.strictSame(arena.events(record.id), [
    'created starting',
    'capture_started recording',
    'stop_requested finalizing',
    'capture_stopped finalizing',
    ...READY,
  ]);
  t.strictSame(
    arena.told,
    ['starting', 'recording', 'finalizing', 'ready'].map((status) => `${record.id} ${status}`),
  );
  t.strictSame(arena.files, [`${record.id}.mp4`]);
  const details = arena.services.recordings.read('ses_1', record.id);
  t.equal(details.events.length, 7);
  t.ok(details.events.every(({ id, at }) => /^evt_\w{22}$/.test(id) && /^2026-.*Z$/.test(at)));
  t.strictSame(arena.faults, []);
});

t.test('a repeated key gives the original recording and starts nothing, whatever became of it', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const first = await arena.services.recordings.start(session, 'build 7');
  t.strictSame(await arena.services.recordings.start(session, 'build 7'), { created: false, record: first.record });
  await arena.services.recordings.stop('ses_1', first.record.id);
  const again = await arena.services.recordings.start(session, 'build 7');
  t.match(again, { created: false, record: { id: first.record.id, status: 'ready' } });
  t.equal(session.device.captures.length, 1);
  const elsewhere = await arena.services.recordings.start(arena.session('ses_2'), 'build 7');
  t.equal(elsewhere.created, true, 'a key belongs to its session');
});

t.test(
  'two starts with one key at the same time make one recording, and both are told when it has begun',
  async (t) => {
    const arena = openRecordings(t);
    const session = arena.session();
    session.device.patientStart = true;
    const starts = Array.from({ length: 20 }, () => arena.services.recordings.start(session, 'k'));
    await arena.until(() => session.device.captures.length > 0, 'the device to be asked');
    for (const start of starts) t.equal(await standing(start), 'pending');
    session.device.last.begin();
    const answers = await Promise.all(starts);
    t.equal(answers.filter(({ created }) => created).length, 1);
    t.equal(new Set(answers.map(({ record }) => record.id)).size, 1);
    t.ok(answers.every(({ record }) => record.status === 'recording'));
    t.equal(session.device.captures.length, 1);
  },
);

t.test('of starts with different keys one wins, and the others are told which is active', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const starts = Array.from({ length: 10 }, (_, index) => arena.services.recordings.start(session, `key ${index}`));
  const outcomes = await Promise.allSettled(starts);
  const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.record.id] : []));
  t.equal(won.length, 1);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      t.match(outcome.reason, { code: 'recording_already_active', message: new RegExp(won[0] ?? 'none') });
    }
  }
  t.equal(session.device.captures.length, 1);
});

t.test('a hundred stops from everywhere have one outcome, and the capture is stopped once', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  const stops = Array.from({ length: 99 }, () => arena.services.recordings.stop('ses_1', id));
  const release = arena.services.recordings.endOf('ses_1');
  const records = await Promise.all(stops);
  await release;
  records.push(await arena.services.recordings.stop('ses_1', id));
  t.equal(records[0]?.status, 'ready');
  for (const record of records) t.strictSame(record, records[0]);
  t.equal(session.device.last.stops, 1);
  t.equal(arena.finisher.finishes.length, 1);
  t.equal(arena.events(id).length, 7);
});

t.test('a stop during the start waits for the capture to begin', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  session.device.patientStart = true;
  const start = arena.services.recordings.start(session);
  await arena.until(() => session.device.captures.length > 0);
  const [row] = arena.store.recordings.unsettled();
  const stop = arena.services.recordings.stop('ses_1', row?.id ?? '');
  t.equal(await standing(stop), 'pending');
  session.device.last.begin();
  t.equal((await stop).status, 'ready');
  t.match(await start, { created: true, record: { id: row?.id } });
});

t.test('a stop during a start that fails answers with the failed recording', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  session.device.patientStart = true;
  const start = arena.services.recordings.start(session);
  start.catch(() => undefined);
  await arena.until(() => session.device.captures.length > 0);
  const [row] = arena.store.recordings.unsettled();
  const stop = arena.services.recordings.stop('ses_1', row?.id ?? '');
  session.device.last.began.reject(fault({ stage: 'capture', code: 'encoder_failed' }));
  t.match(await stop, { status: 'failed', failure: { stage: 'capture', code: 'encoder_failed', retryable: false } });
  await t.rejects(start, { code: 'recording_failed', message: /encoder_failed/ });
});

t.test(
  'a capture that does not begin fails its recording with the reason, and the session can record again',
  async (t) => {
    const arena = openRecordings(t);
    const session = arena.session();
    session.device.startFault = fault({ stage: 'prepare', code: 'capture_start_failed', message: 'No encoder.' });
    await t.rejects(arena.services.recordings.start(session, 'k'), { code: 'recording_failed', message: /No encoder/ });
    const again = await arena.services.recordings.start(session, 'k');
    t.match(again, { created: false, record: { status: 'failed', failure: { code: 'capture_start_failed' } } });
    t.ok(again.record.failure?.action);
    session.device.startFault = undefined;
    t.equal((await arena.services.recordings.start(session, 'other')).created, true);
  },
);

t.test('a disk that is full before the first picture is a matter of capacity', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  session.device.startFault = fault({ stage: 'prepare', code: 'storage_full', retryable: true });
  await t.rejects(arena.services.recordings.start(session), { code: 'recording_capacity_unavailable' });
  const scarce = openRecordings(t, { startHeadroomBytes: Number.MAX_SAFE_INTEGER });
  const refused = scarce.services.recordings.start(scarce.session());
  await t.rejects(refused, { code: 'recording_capacity_unavailable', retryable: true, retryAfterSeconds: 60 });
  t.strictSame(scarce.services.recordings.list('ses_1', WHOLE).items, [], 'nothing was begun');
});

t.test('a capture that is silent for too long is given up, and what comes late is stopped and removed', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  session.device.patientStart = true;
  const start = arena.services.recordings.start(session);
  start.catch(() => undefined);
  await arena.until(() => session.device.captures.length > 0);
  await arena.clock.advance(14_999);
  t.equal(await standing(start), 'pending');
  await arena.clock.advance(1);
  await t.rejects(start, { code: 'recording_failed', message: /capture_start_failed/ });
  session.device.last.begin();
  await arena.until(() => session.device.last.stops === 1 && arena.files.length === 0, 'the late capture to go');
  t.equal(arena.services.recordings.list('ses_1', WHOLE).items[0]?.status, 'failed');
});

t.test('a stop answers after 15 s with the recording as it is, which becomes ready later', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  let finish = () => {};
  arena.finisher.patience = new Promise((resolve) => {
    finish = resolve;
  });
  const stop = arena.services.recordings.stop('ses_1', id);
  await arena.until(() => arena.finisher.finishes.length === 1);
  await arena.clock.advance(14_999);
  t.equal(await standing(stop), 'pending');
  await arena.clock.advance(1);
  t.equal((await stop).status, 'finalizing');
  await t.rejects(arena.services.recordings.start(arena.session()), { code: 'recording_already_active' });
  finish();
  await arena.reached(id, 'ready');
  t.equal((await arena.services.recordings.stop('ses_1', id)).status, 'ready');
});

t.test('a host that does not stop is left alone after a while, and what is on disk is finished', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  session.device.patientStop = true;
  const id = await arena.start(session);
  const stop = arena.services.recordings.stop('ses_1', id);
  await arena.clock.advance(10_000);
  t.equal((await stop).status, 'ready');
  t.match(arena.store.recordingEvents.list(id)[3], { type: 'capture_stopped', detail: /capture_interrupted/ });
});

for (const [ending, detail] of [
  ['limit', /longest/],
  ['headroom', /disk/],
  [fault({ stage: 'capture', code: 'device_lost', message: 'Gone.' }), /device_lost: Gone\./],
  [fault({ stage: 'capture', code: 'encoder_failed' }), /encoder_failed/],
  [fault({ stage: 'capture', code: 'storage_full', retryable: true }), /storage_full/],
] as const) {
  const name = typeof ending === 'string' ? ending : ending.code;
  t.test(`a capture that ends by itself (${name}) is finalized with what it has`, async (t) => {
    const arena = openRecordings(t);
    const session = arena.session();
    const id = await arena.start(session);
    session.device.last.end(ending);
    await arena.reached(id, 'ready');
    await arena.until(() => arena.files.length === 1);
    t.match(arena.store.recordingEvents.list(id)[2], { type: 'capture_stopped', status: 'finalizing', detail });
    t.strictSame(arena.events(id).slice(-3), READY);
  });
}

t.test('a lost device that left nothing fails its recording for the true reason', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  arena.finisher.faults.push(fault({ code: 'no_frames_captured' }));
  session.device.last.end(fault({ stage: 'capture', code: 'device_lost', message: 'Gone.' }));
  const row = await arena.reached(id, 'failed');
  t.match(row.failure, { stage: 'capture', code: 'device_lost', message: 'Gone.', retryable: false });
  await arena.until(() => arena.files.length === 0, 'everything of it to be removed');
});

t.test('a capture that ends in the moment in which it is stopped ends once', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  const stop = arena.services.recordings.stop('ses_1', id);
  session.device.last.end('limit');
  t.equal((await stop).status, 'ready');
  await settled();
  t.equal(arena.finisher.finishes.length, 1);
  t.strictSame(arena.faults, []);
});

t.test('a session that ends takes its recording along, for as long as a release may wait', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  arena.finisher.patience = new Promise(() => undefined);
  const release = arena.services.recordings.endOf('ses_1');
  await arena.until(() => arena.finisher.finishes.length === 1);
  await arena.clock.advance(14_999);
  t.equal(await standing(release), 'pending');
  await arena.clock.advance(1);
  await release;
  t.equal(arena.row(id).status, 'finalizing', 'it goes on by itself');
  await arena.services.recordings.endOf('ses_2');
});

t.test('a drain starts nothing more and waits less', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  const id = await arena.start(session);
  arena.services.recordings.drain();
  await t.rejects(arena.services.recordings.start(arena.session('ses_2')), { code: 'service_draining' });
  arena.finisher.patience = new Promise(() => undefined);
  const release = arena.services.recordings.endOf('ses_1');
  await arena.until(() => arena.finisher.finishes.length === 1);
  await arena.clock.advance(6_000);
  await release;
  t.equal(arena.row(id).status, 'finalizing');
});

t.test('only an active session starts, and ids of other sessions are unknown', async (t) => {
  const arena = openRecordings(t);
  const id = await arena.start(arena.session());
  await t.rejects(arena.services.recordings.start(arena.session('ses_2', 'releasing')), {
    code: 'active_session_not_found',
  });
  for (const [session, recording] of [
    ['ses_2', id],
    ['ses_1', 'rec_unknown'],
    ['ses_none', id],
  ] as const) {
    t.throws(() => arena.services.recordings.read(session, recording), { code: 'recording_not_found' });
    await t.rejects(arena.services.recordings.stop(session, recording), { code: 'recording_not_found' });
  }
  t.strictSame(arena.services.recordings.list('ses_2', WHOLE).items, []);
});

t.test('no told status is out of order', async (t) => {
  const arena = openRecordings(t);
  const session = arena.session();
  arena.finisher.faults.push(fault({ retryable: true }), undefined);
  const id = await arena.start(session);
  t.equal((await arena.services.recordings.stop('ses_1', id)).status, 'failed');
  await arena.clock.advance(2_000);
  await arena.reached(id, 'ready');
  const statuses = arena.told.map((line) => line.split(' ')[1] as 'starting');
  t.strictSame(statuses, ['starting', 'recording', 'finalizing', 'failed', 'finalizing', 'ready']);
  for (const [index, status] of statuses.slice(1).entries()) {
    t.ok(canTransition({ status: statuses[index] ?? 'deleted', nextAttemptAtMs: 1 }, status));
  }
});

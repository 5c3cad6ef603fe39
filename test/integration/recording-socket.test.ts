import type { Acknowledgement, RecordingDetails, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:6' });
t.teardown(() => server.close());
const { rest } = server;

const connect = (session: SessionRecord) => ControlClient.connect(server.url, session, rest.authorization);

/** A viewer that may only watch. */
async function watch(session: SessionRecord): Promise<ControlClient> {
  const link = await rest.call<{ url: string }>('POST', `/service/sessions/${session.id}/viewer-links`, {
    role: 'view',
  });
  return ControlClient.connectWithToken(server.url, { ...session, url: link.body.url }, server.url);
}

let asked = 0;
async function ask(client: ControlClient, type: string, fields: Record<string, unknown> = {}) {
  const requestId = `ask-${++asked}`;
  client.send({ type, requestId, ...fields });
  return client.result(requestId);
}

const recordingOf = ({ result }: Acknowledgement) => (result as { recording: RecordingRecord } | undefined)?.recording;

t.test('the socket records as REST does, and every socket of the session hears of it', async (t) => {
  const session = await rest.createSession('ios');
  const [client, viewer] = [await connect(session), await watch(session)];
  t.match(client.messages[0], { type: 'ready', capabilities: { recording: true } });
  const started = await ask(client, 'recording.start', { idempotencyKey: 'k' });
  t.match(started, {
    ok: true,
    status: 'completed',
    action: 'recording.start',
    sessionId: session.id,
    platform: 'ios',
  });
  const id = recordingOf(started)?.id ?? '';
  t.equal(recordingOf(started)?.status, 'recording');
  t.equal(recordingOf(await ask(client, 'recording.start', { idempotencyKey: 'k' }))?.id, id);
  const got = recordingOf(await ask(viewer, 'recording.get', { recordingId: id })) as RecordingDetails;
  t.strictSame(
    got.events.map(({ type }) => type),
    ['created', 'capture_started'],
  );
  const listed = (await ask(viewer, 'recording.list')).result as { recordings: RecordingRecord[] };
  t.strictSame(
    listed.recordings.map((recording) => recording.id),
    [id],
  );
  const stopped = await ask(client, 'recording.stop', { recordingId: id });
  const overRest = await rest.call<RecordingRecord>('GET', `/service/ios/${session.id}/recordings/${id}`);
  const { events: _events, ...record } = overRest.body as RecordingDetails;
  t.strictSame(recordingOf(stopped), record);
  for (const one of [client, viewer]) {
    await one.next('event', (event) => event.event === 'recording' && event.recording.status === 'ready');
    const told = one.messages.flatMap((message) =>
      message.type === 'event' && message.event === 'recording' ? [message.recording] : [],
    );
    t.strictSame(
      told.map(({ status }) => status),
      ['starting', 'recording', 'finalizing', 'ready'],
    );
    t.strictSame(told.at(-1), record);
    t.same(await one.close(), { code: 1000, reason: '' });
  }
});

t.test('every failure is a result with its code, and the socket stays', async (t) => {
  const session = await rest.createSession('ios');
  const client = await connect(session);
  const id = recordingOf(await ask(client, 'recording.start'))?.id ?? '';
  const failures: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ['recording.start', {}, 'recording_already_active'],
    ['recording.stop', { recordingId: 'rec_unknown' }, 'recording_not_found'],
    ['recording.get', { recordingId: 'rec_unknown' }, 'recording_not_found'],
    ['recording.get', {}, 'invalid_request'],
    ['recording.get', { recordingId: '' }, 'invalid_request'],
    ['recording.start', { idempotencyKey: '' }, 'invalid_request'],
    ['recording.start', { idempotencyKey: 'x'.repeat(201) }, 'invalid_request'],
    ['recording.list', { platform: 'ios' }, 'invalid_request'],
  ];
  for (const [type, fields, code] of failures) {
    const failed = await ask(client, type, fields);
    t.match(
      failed,
      { ok: false, status: 'failed', action: type, error: { code } },
      `${type} ${JSON.stringify(fields)}`,
    );
  }
  t.equal(recordingOf(await ask(client, 'recording.stop', { recordingId: id }))?.status, 'ready');
  await client.close();
});

t.test('a viewer that may only watch can read recordings, but neither start nor stop them', async (t) => {
  const session = await rest.createSession('ios');
  const [client, viewer] = [await connect(session), await watch(session)];
  const id = recordingOf(await ask(client, 'recording.start'))?.id ?? '';
  for (const [type, fields] of [
    ['recording.start', {}],
    ['recording.stop', { recordingId: id }],
  ] as const) {
    t.match(await ask(viewer, type, fields), { ok: false, error: { code: 'control_role_required' } }, type);
  }
  t.equal(recordingOf(await ask(viewer, 'recording.get', { recordingId: id }))?.status, 'recording');
  await viewer.close();
  await client.close();
});

t.test(
  'a recording that was asked for goes on when its socket is lost, and the session tells the next one',
  async (t) => {
    const session = await rest.createSession('ios');
    const client = await connect(session);
    const id = recordingOf(await ask(client, 'recording.start', { idempotencyKey: 'once' }))?.id ?? '';
    client.terminate();
    await client.closed;
    const again = await connect(session);
    const repeated = recordingOf(await ask(again, 'recording.start', { idempotencyKey: 'once' }));
    t.match(repeated, { id, status: 'recording' });
    const release = rest.releaseSession(session.id);
    await again.next('event', (event) => event.event === 'recording' && event.recording.status === 'ready');
    await again.next('event', (event) => event.event === 'session.ended');
    t.equal((await again.closed).code, 4404, 'the session ends after its recording');
    t.equal((await release).body.status, 'released');
  },
);

t.test('calls about recordings keep a session alive, also reads over REST', async (t) => {
  const session = await rest.createSession('ios', { inactivityTimeout: '30s' });
  const expiry = async () => {
    const { body } = await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
    return Date.parse(body.expiresAt);
  };
  const before = await expiry();
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.ok((await expiry()) - before < 40, 'to read the session is no use of it');
  await rest.call('GET', `/service/ios/${session.id}/recordings`);
  t.ok((await expiry()) - before >= 40, 'to read its recordings is');
});

import { readFileSync } from 'node:fs';
import type { HostList, SessionList, SessionRecord, SnapshotList, Usage } from '@runcloud/protocol';
import { placeIn } from '@runcloud/protocol/terms';
import t from 'tap';
import { placeOf as placeOfHost } from '../../server/fleet/subjects.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { SAMPLE } from '../conformance/sample-app.ts';
import { ControlClient } from '../support/control-client.ts';
import { startFleet, type TestFleet } from '../support/fleet.ts';
import { withoutNats } from '../support/nats-server.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { until } from '../support/until.ts';

/** One edge, two hosts. */

const ENVIRONMENT = {
  RUNCLOUD_PORT: '0',
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'silent',
  RUNCLOUD_RATE_LIMIT: 'off',
  RUNCLOUD_CHECK_ANSWERS: '1',
};

const fleets: TestFleet[] = [];
t.teardown(async () => {
  for (const fleet of fleets) await fleet.close();
});

const skip = withoutNats();
t.test('a fleet', { skip }, async (t) => {
  const fleet = await startFleet(ENVIRONMENT, [
    { RUNCLOUD_DEVICES: 'virtual-ios:2' },
    { RUNCLOUD_DEVICES: 'virtual-ios:1,virtual-android:1' },
  ]);
  fleets.push(fleet);
  const { url } = fleet.edge.app;
  const rest = new RestClient(url, TEST_KEY);
  const list = async (query = '') => (await rest.call<SessionList>('GET', `/service/sessions${query}`)).body;
  const hosts = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts;
  const release = async () => {
    for (const { id } of (await list('?status=active')).sessions) await rest.releaseSession(id);
    await until(
      async () => (await hosts()).every(({ devices }) => devices.every((one) => one.free === one.total)),
      'all free',
    );
  };
  /** The host of a session: ids of one host end alike. */
  const placeOf = ({ id }: SessionRecord) => placeIn(id);

  await t.test('the edge tells its hosts and their devices', async (t) => {
    t.match(await hosts(), [
      { name: 'host-1', state: 'here', sessions: 0, devices: [{ platform: 'ios', total: 2, free: 2 }] },
      {
        name: 'host-2',
        state: 'here',
        devices: [
          { platform: 'ios', total: 1 },
          { platform: 'android', total: 1 },
        ],
      },
    ]);
  });

  await t.test('sessions go where devices are free, and the last refusal is that of a host', async (t) => {
    const sessions = [];
    for (const platform of ['ios', 'ios', 'ios', 'android'] as const) sessions.push(await rest.createSession(platform));
    t.equal(new Set(sessions.map(placeOf)).size, 2, 'on both hosts');
    const { status, body } = await rest.call('POST', '/service/sessions', { platform: 'ios' });
    t.equal(status, 503);
    t.match(body, { error: { code: 'simulator_capacity_unavailable', retryable: true } });
    const wrong = await rest.call('POST', '/service/sessions', { platform: 'ios', deviceModel: 'No such phone' });
    t.match(wrong, { status: 400, body: { error: { code: 'invalid_session_request' } } });
    for (const session of sessions) {
      t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    }
    await release();
  });

  await t.test('pages of a list make up the whole list of all hosts, newest first, each once', async (t) => {
    const whole = (await list('?limit=100')).sessions.map(({ id }) => id);
    t.ok(whole.length >= 4);
    for (const limit of [1, 2, 3]) {
      const ids: string[] = [];
      for (let query = `?limit=${limit}`, pages = 0; pages < 100; pages++) {
        const { sessions, next } = await list(query);
        ids.push(...sessions.map(({ id }) => id));
        if (next === undefined) break;
        query = `?limit=${limit}&cursor=${next}`;
      }
      t.strictSame(ids, whole, `by ${limit}`);
    }
    const { next } = await list('?limit=1');
    const other = await rest.call('GET', `/service/sessions?platform=ios&cursor=${next}`);
    t.match(other, { status: 400, body: { error: { code: 'invalid_session_request' } } }, 'a cursor is of one list');
  });

  await t.test('an idempotency key makes one session, wherever it is, also for those who ask at once', async (t) => {
    const ask = () =>
      rest.fetch('/service/sessions', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
        body: '{"platform":"ios"}',
      });
    const replies = await Promise.all([ask(), ask(), ask()]);
    const ids = await Promise.all(replies.map(async (reply) => ((await reply.json()) as SessionRecord).id));
    t.equal(new Set(ids).size, 1);
    t.strictSame(replies.map(({ status }) => status).sort(), [200, 200, 201]);
    await release();
  });

  await t.test('usage is that of all hosts', async (t) => {
    const { body } = await rest.call<Usage>('GET', '/service/account/usage');
    t.equal(body.activeSessions, 0);
    t.equal(body.total.sessions, (await list('?limit=100')).sessions.length);
  });

  await t.test('a snapshot is found on its host, and a session from it is made there', async (t) => {
    const session = await rest.createSession('android');
    const kept = await rest.call('POST', `/service/android/${session.id}/snapshots`, { name: 'kept' });
    t.equal(kept.status, 201);
    await rest.releaseSession(session.id);
    const { body } = await rest.call<SnapshotList>('GET', '/service/snapshots');
    t.strictSame(
      body.snapshots.map(({ name }) => name),
      ['kept'],
    );
    t.match(await rest.call('GET', '/service/snapshots/kept'), { status: 200, body: { name: 'kept' } });
    const from = await rest.createSession('android', { snapshot: 'kept' });
    t.equal(placeOf(from), placeOf(session));
    t.match(await rest.call('DELETE', '/service/snapshots/kept'), { status: 200 });
    t.match(await rest.call('GET', '/service/snapshots/kept'), { status: 404 });
    await release();
  });

  await t.test(
    'an app that the edge has is brought to the host that needs it, and cannot go while it is used',
    async (t) => {
      const upload = await rest.fetch('/service/assets', {
        method: 'POST',
        body: new Uint8Array(readFileSync('server/sample/sample.apk')),
      });
      const { id } = (await upload.json()) as { id: string };
      t.equal(upload.status, 201);
      const at = await rest.createSession('android', { installAssets: [id] });
      t.match(await rest.interact(at, { action: 'launchApp', app: SAMPLE }), { status: 200 }, 'from the beginning');
      t.match(await rest.call('DELETE', `/service/assets/${id}`), {
        status: 409,
        body: { error: { code: 'asset_in_use' } },
      });
      await release();
      t.match(await rest.call('DELETE', `/service/assets/${id}`), { status: 200 });
      const gone = await rest.call('POST', '/service/sessions', { platform: 'android', installAssets: [id] });
      t.match(gone, { status: 404, body: { error: { code: 'asset_not_found' } } });
    },
  );

  await t.test('a revoked key closes its sockets at the hosts', async (t) => {
    const session = await rest.createSession('ios');
    const { body } = await rest.call<{ id: string; key: string }>('POST', '/service/account/keys', { name: 'short' });
    const socket = await ControlClient.connect(url, session, `Bearer ${body.key}`);
    await rest.call('DELETE', `/service/account/keys/${body.id}`);
    t.match(await socket.closed, { code: 4401 });
    t.equal((await new RestClient(url, body.key).call('GET', '/service/sessions')).status, 401);
    await release();
  });

  await t.test("another account's sessions are unknown to it", async (t) => {
    const session = await rest.createSession('ios');
    const stranger = new RestClient(url, 'another-key-that-is-none-here');
    t.equal((await stranger.call('GET', `/service/sessions/${session.id}`)).status, 401);
    t.equal((await rest.call('GET', `/service/sessions/${session.id.slice(0, -1)}_`)).status, 404, 'of no host');
    const unknown = `ses_${'0'.repeat(22)}${placeIn(session.id)}`;
    t.match(await rest.call('GET', `/service/sessions/${unknown}`), {
      status: 404,
      body: { error: { code: 'session_not_found' } },
    });
    await release();
  });

  await t.test('a host that is drained gets no new session, and its own go on', async (t) => {
    const before = await rest.createSession('ios');
    t.equal(placeOf(before), placeOfHost('host-1'), 'it has the most free devices');
    const drain = (isDraining: boolean) => {
      const store = new Store(databasePath(fleet.edge.dataDir));
      store.fleetHosts.add('host-1', Date.now());
      store.fleetHosts.setDraining('host-1', isDraining);
      store.close();
    };
    drain(true);
    t.match(await hosts(), [
      { name: 'host-1', isDraining: true },
      { name: 'host-2', isDraining: false },
    ]);
    t.match(await rest.interact(before, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    t.equal(placeOf(await rest.createSession('ios')), placeOfHost('host-2'));
    t.match(
      await rest.call('POST', '/service/sessions', { platform: 'ios' }),
      { status: 503 },
      'the other one is full',
    );
    drain(false);
    t.equal((await rest.createSession('ios')).status, 'active');
    await release();
  });

  await t.test('a host that has gone is told at once, and its sessions cannot be reached', async (t) => {
    const session = await rest.createSession('android');
    const [, second] = fleet.hosts;
    await second?.stop();
    await until(async () => (await hosts())[1]?.state === 'away', 'the host is away');
    const refused = await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
    t.match(refused, { status: 503, body: { error: { code: 'host_unreachable', retryable: true } } });
    t.ok(refused.headers.get('retry-after'));
    await t.rejects(ControlClient.connect(url, session, rest.authorization));
    t.equal((await rest.createSession('ios')).platform, 'ios', 'others go on');
    await second?.start();
    await until(async () => (await hosts())[1]?.state === 'here', 'it is back');
    const { body } = await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`);
    t.match(body, { status: 'released', releaseReason: 'server_stopped' }, 'it says how the session has ended');
    await release();
  });
});

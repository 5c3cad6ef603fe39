import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostList, RecordingDetails, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { DRIVERS } from '../conformance/drivers.ts';
import { ControlClient } from '../support/control-client.ts';
import { killableHost, startFleet } from '../support/fleet.ts';
import { withoutNats } from '../support/nats-server.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const skip = withoutNats();
const ENVIRONMENT = {
  RUNCLOUD_PORT: '0',
  RUNCLOUD_API_KEY: TEST_KEY,
  RUNCLOUD_LOG: 'silent',
  RUNCLOUD_RATE_LIMIT: 'off',
  RUNCLOUD_DISK_HEADROOM: '0/0',
  RUNCLOUD_DEVICES: 'virtual-ios:1',
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function operator(url: string) {
  const rest = new RestClient(url, TEST_KEY);
  const state = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts[0]?.state;
  return { rest, whenHost: (wanted: string) => until(async () => (await state()) === wanted, `the host is ${wanted}`) };
}

t.test('a host that is killed loses its sessions, and nothing that it had recorded', { skip }, async (t) => {
  const fleet = await startFleet(ENVIRONMENT);
  t.teardown(() => fleet.close());
  const { host } = await killableHost(fleet);
  const { rest, whenHost } = operator(fleet.edge.app.url);
  await whenHost('here');
  const session = await rest.createSession('ios');
  const recordings = `/service/ios/${session.id}/recordings`;
  await rest.interact(session, { action: 'tap', ...(DRIVERS[0]?.icon(session, 'motion') ?? { x: 0.5, y: 0.5 }) });
  const { body: recording } = await rest.call<RecordingDetails>('POST', recordings);
  await sleep(4_000);
  const socket = await ControlClient.connect(rest.url, session, rest.authorization);
  const way = { from: { x: 0.4, y: 0.4 }, to: { x: 0.6, y: 0.4 }, durationMs: 5_000 };
  const swipe = { action: 'swipe', requestId: 'while-it-dies', ...way };
  const pending = rest.interact(session, swipe);
  await sleep(500);
  await host.kill();

  t.match(await pending, { status: 502, body: { error: { code: 'host_lost', retryable: false } } }, 'nobody knows');
  t.match(await socket.closed, { code: 1011 });
  const refused = await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
  t.match(refused, { status: 503, body: { error: { code: 'host_unreachable', retryable: true } } });

  await host.start();
  await whenHost('here');
  const ended = (await rest.call<SessionRecord>('GET', `/service/sessions/${session.id}`)).body;
  t.match(ended, { status: 'failed', releaseReason: 'server_restarted' });
  t.match(await rest.interact(session, swipe), { status: 404, body: { error: { code: 'active_session_not_found' } } });
  const read = async () => (await rest.call<RecordingDetails>('GET', `${recordings}/${recording.id}`)).body;
  await until(async () => (await read()).status === 'ready', 'the recording is ready');
  t.ok(((await read()).durationMs ?? 0) > 2_000, 'all but the last second of it');
  const file = await rest.fetch(`${recordings}/${recording.id}/download`);
  t.equal(file.status, 200);
  t.equal(file.headers.get('content-type'), 'video/mp4');
  t.equal(Number(file.headers.get('content-length')), (await file.arrayBuffer()).byteLength);
  t.equal((await rest.createSession('ios')).status, 'active', 'it takes new ones');
});

t.test('a host that is cut off goes on, and its clients find it again as it was', { skip }, async (t) => {
  const fleet = await startFleet(ENVIRONMENT);
  t.teardown(() => fleet.close());
  const { rest, whenHost } = operator(fleet.edge.app.url);
  const session = await rest.createSession('ios');
  const socket = await ControlClient.connect(rest.url, session, rest.authorization);
  const { connection } = socket.ready;
  fleet.nats.configure(fleet.users.slice(0, 1));
  await whenHost('away');
  const refused = await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
  t.match(refused, { status: 503, body: { error: { code: 'host_unreachable' } } });
  const { body: account } = await rest.call<{ id: string }>('GET', '/service/account');
  const look = () => fleet.hosts[0]?.app.inspect({ accountId: account.id }, 'ios', session.id);
  t.ok(await look(), 'the session is where it was');

  fleet.nats.configure(fleet.users);
  await whenHost('here');
  t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
  t.match(await socket.closed, { code: 1011 });
  const resume = `${connection?.id}.${connection?.epoch}.0`;
  const again = await ControlClient.connect(rest.url, session, rest.authorization, resume);
  t.match(again.ready, { resumed: true });
});

t.test(
  'a second process with the name of a host is believed alone, and the first says nothing any more',
  { skip },
  async (t) => {
    const fleet = await startFleet(ENVIRONMENT);
    t.teardown(() => fleet.close());
    const [first] = fleet.hosts;
    if (!first) throw new Error('there is no host');
    const { rest } = operator(fleet.edge.app.url);
    const before = await rest.createSession('ios');
    const socket = await ControlClient.connect(rest.url, before, rest.authorization);
    // As of a machine that was restored while the first one runs.
    const dataDir = t.testdir({});
    copyFileSync(join(first.dataDir, 'host-epoch'), join(dataDir, 'host-epoch'));
    const second = await ServiceProcess.start({ ...first.environment, RUNCLOUD_DATA_DIR: dataDir });
    t.teardown(() => second.kill());
    t.match(await socket.closed, { code: 1011 }, 'what the first one served is lost');
    await until(
      async () => (await rest.call('GET', `/service/sessions/${before.id}`)).status === 404,
      'it is unknown now',
    );
    const session = await rest.createSession('ios');
    const other = await ControlClient.connect(rest.url, session, rest.authorization);
    for (let taps = 0; taps < 50; taps++) {
      t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
      t.match(await other.interact({ requestId: `tap-${taps}`, action: 'tap', x: 0.5, y: 0.5 }), {
        status: 'completed',
      });
    }
    await other.close();
  },
);

import type { HostList, RecordingDetails, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { attachedHost } from '../support/android/attached-host.ts';
import { hasAdb } from '../support/android/has-adb.ts';
import { ControlClient } from '../support/control-client.ts';
import { killableHost, startFleet } from '../support/fleet.ts';
import { withoutNats } from '../support/nats-server.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { sessionInTime } from '../support/sessions-in-time.ts';
import { until } from '../support/until.ts';

const skip = withoutNats() || (hasAdb ? false : 'NO ADB: Android devices are NOT tested');

t.test('a host that is killed and back goes on with the sessions of attached devices', { skip }, async (t) => {
  const phones = await attachedHost(1);
  t.teardown(() => phones.stop());
  const system = phones.devices[0]?.device.system;
  const taps = (x: number) =>
    system?.log.filter(([name, verb, at]) => name === 'input' && verb === 'tap' && Number(at) === x).length;
  const { RUNCLOUD_DEVICES, RUNCLOUD_ADB_PORT, ...tools } = phones.environment;
  const fleet = await startFleet({
    RUNCLOUD_PORT: '0',
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_LOG: 'silent',
    RUNCLOUD_DISK_HEADROOM: '0/0',
    RUNCLOUD_DEVICES: 'virtual-ios:1',
  });
  t.teardown(() => fleet.close());
  const { host } = await killableHost(fleet, {
    ...tools,
    RUNCLOUD_ADB_PORT,
    RUNCLOUD_DEVICES: `${RUNCLOUD_DEVICES},virtual-ios:1`,
  });
  const rest = new RestClient(fleet.edge.app.url, TEST_KEY);
  const whenHost = (wanted: string) =>
    until(
      async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts[0]?.state === wanted,
      `the host is ${wanted}`,
    );
  await whenHost('here');
  const session = await sessionInTime({ rest }, 'android');
  const virtual = await rest.createSession('ios');
  const recordings = `/service/android/${session.id}/recordings`;
  const { body: recording } = await rest.call<RecordingDetails>('POST', recordings);
  const tap = { action: 'tap', requestId: 'before', x: 0.5, y: 0.5, timeoutMs: 60_000 };
  const { body: told } = await rest.interact(session, tap);
  t.equal(told.status, 'completed');
  const socket = await ControlClient.connect(rest.url, session, rest.authorization);
  const { connection } = socket.ready;
  const way = { from: { x: 0.25, y: 0.5 }, to: { x: 0.75, y: 0.5 }, durationMs: 10_000, timeoutMs: 60_000 };
  const swipe = { action: 'swipe', requestId: 'while-it-dies', ...way };
  const swipes = () => system?.log.filter(([name, verb]) => name === 'input' && verb === 'swipe').length;
  const pending = rest.interact(session, swipe);
  await until(() => swipes() === 1, 'the finger moves');
  await host.kill();

  t.match(await pending, { status: 502, body: { error: { code: 'host_lost', retryable: false } } });
  t.match(await socket.closed, { code: 1011 });
  const refused = await rest.interact(session, { ...tap, requestId: 'away' });
  t.match(refused, { status: 503, body: { error: { code: 'host_unreachable', retryable: true } } });

  await host.start();
  await whenHost('here');
  const { expiresAt: _expiresAt, ...same } = session;
  const read = async ({ id }: SessionRecord) => (await rest.call<SessionRecord>('GET', `/service/sessions/${id}`)).body;
  t.match(await read(session), { ...same, status: 'active' });
  t.match(await read(virtual), { status: 'failed', releaseReason: 'server_restarted' });
  t.match((await rest.interact(session, tap)).body, told, 'the same answer');
  t.equal(taps(270), 1);
  t.match((await rest.interact(session, swipe)).body, { status: 'failed', error: { code: 'host_lost' } });
  t.equal(swipes(), 1, 'nobody knows, and it is not done again');
  const resume = `${connection?.id}.${connection?.epoch}.0`;
  const again = await ControlClient.connect(rest.url, session, rest.authorization, resume);
  t.match(again.ready, { resumed: false, pending: [] });
  t.match(await again.interact({ ...tap, requestId: 'after', x: 0.25 }), { status: 'completed' });
  t.equal(taps(135), 1);
  const state = async () => (await rest.call<RecordingDetails>('GET', `${recordings}/${recording.id}`)).body.status;
  await until(async () => (await state()) === 'ready', 'the recording is ready');
  t.match((await rest.releaseSession(session.id)).body, { status: 'released', releaseReason: 'requested' });
  t.match(await again.closed, { code: 4404 });
});

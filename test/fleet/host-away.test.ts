import { createHash } from 'node:crypto';
import type { RecordingDetails, RecordingList, SessionList, SessionRecord } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { adminWith } from '../support/admin-command.ts';
import { isAt, look, nameOf, whenIn, whenTold } from '../support/away-hosts.ts';
import { killableHost, startFleet, startKillableFleet } from '../support/fleet.ts';
import { FLEET_ENVIRONMENT } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { RestClient } from '../support/rest-client.ts';
import { S3Server } from '../support/s3/s3-server.ts';
import { TEST_KEY } from '../support/server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

const skip = withoutNats();
const DEVICES = { RUNCLOUD_DEVICES: 'virtual-android:2' };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const recordingsOf = ({ platform, id }: SessionRecord) => `/service/${platform}/${id}/recordings`;
const read = async <T>(rest: RestClient, path: string) => rest.call<T>('GET', path);

/** Records for a moment; gives the recording once it can be downloaded. */
async function record(rest: RestClient, session: SessionRecord): Promise<RecordingDetails> {
  const { body } = await rest.call<RecordingDetails>('POST', recordingsOf(session));
  await sleep(400);
  await rest.call('POST', `${recordingsOf(session)}/${body.id}/stop`);
  const path = `${recordingsOf(session)}/${body.id}`;
  await until(async () => (await read<RecordingDetails>(rest, path)).body.status === 'ready', 'it is ready');
  return (await read<RecordingDetails>(rest, path)).body;
}

async function checksum(rest: RestClient, session: SessionRecord, { id }: RecordingDetails): Promise<string> {
  const file = await rest.fetch(`${recordingsOf(session)}/${id}/download`);
  return `sha256:${createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex')}`;
}

async function startStore(t: Test) {
  const store = await S3Server.start();
  t.teardown(() => store.close());
  return store;
}

const ids = ({ sessions }: SessionList) => sessions.map(({ id }) => id);
t.test('what has ended can be read while its host is away, and what has not cannot', { skip }, async (t) => {
  const store = await startStore(t);
  const fleet = await startFleet({ ...FLEET_ENVIRONMENT, ...store.environment }, [DEVICES, DEVICES]);
  t.teardown(() => fleet.close());
  const rest = new RestClient(fleet.edge.app.url, TEST_KEY);
  const made = [];
  // New sessions go to the host with the most free devices: two at each.
  for (let count = 0; count < 4; count++) made.push(await rest.createSession('android', { labels: { n: `${count}` } }));
  const [away, other] = fleet.hosts;
  if (!away || !other) throw new Error('there are no two hosts');
  const [ended, live] = made.filter((session) => isAt(away, session));
  const elsewhere = made.find((session) => isAt(other, session));
  if (!ended || !live || !elsewhere) throw new Error('the sessions are not spread');
  const recording = await record(rest, ended);
  const ofLive = await record(rest, live);
  await rest.releaseSession(elsewhere.id);
  await rest.releaseSession(ended.id);
  const path = `/service/sessions/${ended.id}`;
  const before = (await read<SessionRecord>(rest, path)).body;
  const details = (await read<RecordingDetails>(rest, `${recordingsOf(ended)}/${recording.id}`)).body;
  const listed = (await read<RecordingList>(rest, recordingsOf(ended))).body;
  const all = (await read<SessionList>(rest, '/service/sessions?status=released')).body;
  t.same(new Set(ids(all)), new Set([ended.id, elsewhere.id]));
  await whenTold(away, fleet.edge.dataDir);
  await away.stop();
  const name = nameOf(away);
  await whenIn(rest, name, 'away');

  const { url: _before, ...told } = before;
  const { url: _now, ...now } = (await read<SessionRecord>(rest, path)).body;
  t.same(now, told, 'the session');
  t.same((await read<RecordingDetails>(rest, `${recordingsOf(ended)}/${recording.id}`)).body, details, 'its recording');
  t.same((await read<RecordingList>(rest, recordingsOf(ended))).body, listed, 'the list of its recordings');
  t.equal(await checksum(rest, ended, recording), recording.checksum, 'the file');
  t.same(
    (await read<SessionList>(rest, '/service/sessions?status=released')).body.sessions.map(({ id }) => id),
    ids(all),
  );
  const pages = [];
  for (let cursor = ''; pages.length < 5; ) {
    const page = (await read<SessionList>(rest, `/service/sessions?status=released&limit=1${cursor}`)).body;
    pages.push(...ids(page));
    if (page.next === undefined) break;
    cursor = `&cursor=${page.next}`;
  }
  t.same(pages, ids(all), 'page by page');
  t.match((await rest.releaseSession(ended.id)).status, 200, 'it has ended already');
  t.match(
    await read(rest, `${recordingsOf(ended)}/${recording.id}/poster`),
    { status: 503 },
    'on the disk of the host',
  );
  for (const asked of [
    `/service/sessions/${live.id}`,
    recordingsOf(live),
    `${recordingsOf(live)}/${ofLive.id}`,
    `/service/sessions/${ended.id.slice(0, 8)}${'0'.repeat(ended.id.length - 14)}${ended.id.slice(-6)}`,
  ]) {
    t.match(await read(rest, asked), { status: 503, body: { error: { code: 'host_unreachable' } } }, asked);
  }
  t.match(await read(rest, `/service/ios/${ended.id}/recordings`), { status: 404 }, 'of another platform');

  const { body: another } = await rest.call<{ key: string }>('POST', '/service/account/keys', { name: 'same account' });
  t.equal((await read(new RestClient(rest.url, another.key), path)).status, 200);

  await away.start();
  await whenIn(rest, name, 'here');
  t.equal(await checksum(rest, live, ofLive), ofLive.checksum);
});

t.test(
  'an edge that was not there when a host was lost answers for it, and the operator can end what it left',
  { skip: skip || withoutPostgres() },
  async (t) => {
    const store = await startStore(t);
    const fleet = await startKillableFleet({ ...FLEET_ENVIRONMENT, ...store.environment }, [DEVICES], 2);
    t.teardown(() => fleet.close());
    const { member: lost, host } = await killableHost(fleet);
    const [edge] = fleet.edges;
    if (!edge) throw new Error('there is no edge');
    const { rest } = fleet;
    const name = nameOf(lost);
    await whenIn(rest, name, 'here');
    const ended = await rest.createSession('android');
    const live = await rest.createSession('android');
    const recording = await record(rest, ended);
    await rest.interact(ended, { action: 'tap', x: 0.5, y: 0.5, requestId: 'told' });
    await rest.releaseSession(ended.id);
    const isStored = () => look(lost.dataDir, 'SELECT history FROM session WHERE id = ?', ended.id) !== null;
    await until(isStored, 'its history is stored');
    await whenTold(lost, fleet.firstEdge.dataDir);
    await host.kill();
    await edge.kill();

    const dataDir = `${fleet.firstEdge.dataDir}-new`;
    const later = await ServiceProcess.start({ ...fleet.firstEdge.environment, RUNCLOUD_DATA_DIR: dataDir });
    t.teardown(() => later.kill());
    const there = new RestClient(later.url, TEST_KEY);
    t.match(await read(there, `/service/sessions/${ended.id}`), { status: 200, body: { status: 'released' } });
    t.equal(await checksum(there, ended, recording), recording.checksum);
    const history = await read(there, `/service/android/${ended.id}/history`);
    t.match(history, { status: 200, body: { entries: [{ requestId: 'told' }] } });
    t.same(ids((await read<SessionList>(there, '/service/sessions')).body), [ended.id]);
    t.match(await read(there, `/service/sessions/${live.id}`), { status: 503 });

    const tool = { RUNCLOUD_DATABASE_URL: fleet.postgres?.url, RUNCLOUD_DATA_DIR: `${dataDir}-tool` };
    await adminWith(tool, 'host', 'add', name);
    t.match(await adminWith(tool, 'host', 'remove', name), { code: 0 });
    const state = () => read<SessionRecord>(there, `/service/sessions/${live.id}`);
    await until(async () => (await state()).status === 200, 'the session has ended');
    t.match((await state()).body, { status: 'failed', releaseReason: 'host_removed' });
    t.same(ids((await read<SessionList>(there, '/service/sessions')).body), [live.id, ended.id]);
  },
);

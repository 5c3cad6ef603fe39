import type { HistoryPage, RecordingRecord, SessionRecord } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { databasePath, openDatabase } from '../../server/store/database.ts';
import { adminWith } from '../support/admin-command.ts';
import { look, nameOf, whenIn, whenTold } from '../support/away-hosts.ts';
import { ControlClient } from '../support/control-client.ts';
import { killableHost, startFleet } from '../support/fleet.ts';
import { FLEET_ENVIRONMENT } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { RestClient } from '../support/rest-client.ts';
import { S3Server } from '../support/s3/s3-server.ts';
import { TEST_KEY } from '../support/server.ts';
import { until } from '../support/until.ts';

const skip = withoutNats();
const DEVICES = { RUNCLOUD_DEVICES: 'virtual-ios:2' };
const TAPS = 300;
const LINES = { Accept: 'application/x-ndjson' };

const pathOf = ({ platform, id }: SessionRecord) => `/service/${platform}/${id}`;

/** A fleet whose one host is a process that can be killed. */
async function start(t: Test, environment: Readonly<Record<string, string>>) {
  const fleet = await startFleet({ ...FLEET_ENVIRONMENT, ...environment }, [DEVICES]);
  t.teardown(() => fleet.close());
  const { member, host } = await killableHost(fleet);
  const rest = new RestClient(fleet.edge.app.url, TEST_KEY);
  const name = nameOf(member);
  await whenIn(rest, name, 'here');
  const kill = async () => {
    await whenTold(member, fleet.edge.dataDir);
    await host.kill();
    await whenIn(rest, name, 'away');
  };
  const back = async () => {
    await host.start();
    await whenIn(rest, name, 'here');
  };
  const isStored = ({ id }: SessionRecord) =>
    look<string>(member.dataDir, 'SELECT history FROM session WHERE id = ?', id) !== null;
  return { rest, edge: fleet.edge, hostDir: member.dataDir, name, host, kill, back, isStored };
}

/** A session in which much was done, a part of it while it was recorded. */
async function used(rest: RestClient) {
  const session = await rest.createSession('ios');
  const client = await ControlClient.connect(rest.url, session, rest.authorization);
  const tap = (requestId: string) => client.send({ type: 'interaction', action: 'tap', x: 0.5, y: 0.5, requestId });
  for (let count = 1; count <= TAPS; count++) tap(`t${count}`);
  await client.result(`t${TAPS}`);
  const recordings = `${pathOf(session)}/recordings`;
  const { body: recording } = await rest.call<RecordingRecord>('POST', recordings);
  const swipe = { action: 'swipe', from: { x: 0.5, y: 0.75 }, to: { x: 0.5, y: 0.25 }, durationMs: 300 };
  await rest.interact(session, { ...swipe, requestId: 'swipe', observe: true });
  await rest.interact(session, { action: 'typeText', text: 'geheim', requestId: 'typed' });
  await rest.call('POST', `${recordings}/${recording.id}/stop`);
  await until(
    async () => (await rest.call<RecordingRecord>('GET', `${recordings}/${recording.id}`)).body.status === 'ready',
    'it is ready',
  );
  client.send({ type: 'interaction', ...swipe, durationMs: 9_000, requestId: 'long', acks: 'all' });
  await client.next('dispatched', ({ requestId }) => requestId === 'long');
  await client.close();
  await rest.releaseSession(session.id);
  return { session, recording };
}

/** What can be asked of a history, with the answers. */
async function answers(rest: RestClient, session: SessionRecord, { id }: RecordingRecord): Promise<unknown[]> {
  const path = pathOf(session);
  const all: unknown[] = [];
  const ask = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await rest.fetch(`${path}${query}`, { headers });
    const text = await response.text();
    // A refusal names its call.
    const said = response.status === 200 ? text : JSON.parse(text).error.code;
    all.push([query, response.status, response.headers.get('content-type'), said]);
    return text;
  };
  for (let after: number | undefined = 0; after !== undefined; )
    after = (JSON.parse(await ask(`/history?limit=70&after=${after}`)) as HistoryPage).next;
  for (const query of ['', '?newest=3', '?newest=20&limit=7', '?after=299', '?after=5000', '?limit=0', '?after=x'])
    await ask(`/history${query}`);
  for (const query of ['', '?limit=3', '?after=250', '?newest=260&limit=255']) await ask(`/history${query}`, LINES);
  for (const id of ['t1', `t${TAPS}`, 'swipe', 'typed', 'long', 'nothing', '%20']) await ask(`/interactions/${id}`);
  await ask(`/recordings/${id}/history.vtt`);
  await ask(`/recordings/${id.slice(0, -1)}_/history.vtt`);
  return all;
}

t.test('the history of what has ended is read as its host would tell it, while that is away', { skip }, async (t) => {
  const store = await S3Server.start();
  t.teardown(() => store.close());
  const { rest, edge, kill, back, isStored } = await start(t, store.environment);
  const { session, recording } = await used(rest);
  await until(() => isStored(session), 'the history is stored');
  const before = await answers(rest, session, recording);
  await kill();
  t.same(await answers(rest, session, recording), before);
  const lines = (await (await rest.fetch(`${pathOf(session)}/history`, { headers: LINES })).text()).trimEnd();
  t.equal(lines.split('\n').length, TAPS + 3);
  t.match(lines, /"requestId":"long".*"status":"(cancelled|failed)"/);
  t.notMatch(lines, 'geheim');

  t.equal((await rest.call('GET', `/service/android/${session.id}/history`)).status, 404, 'of another platform');
  const made = await adminWith({ RUNCLOUD_DATA_DIR: edge.dataDir }, 'account', 'create', 'other', '--quiet');
  const other = new RestClient(rest.url, made.stdout.trim());
  const history = `${pathOf(session)}/history`;
  // As of a session that there is not, of which only its host could tell.
  t.match(await other.call('GET', history), { status: 503, body: { error: { code: 'host_unreachable' } } });

  await back();
  t.equal((await other.call('GET', history)).status, 404);
  t.same(await answers(rest, session, recording), before);
});

t.test('a host that was killed before it had stored a history stores it at its next start', { skip }, async (t) => {
  const store = await S3Server.start();
  t.teardown(() => store.close());
  const { rest, kill, back, isStored } = await start(t, store.environment);
  const { session, recording } = await used(rest);
  await until(() => isStored(session), 'the history is stored');
  store.trouble = 'away';
  const late = await rest.createSession('ios');
  await rest.interact(late, { action: 'tap', x: 0.25, y: 0.5, requestId: 'late' });
  await rest.releaseSession(late.id);
  // It has tried by then.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  t.notOk(isStored(late));
  await kill();
  const path = `${pathOf(late)}/history`;
  for (const asked of [path, `${pathOf(late)}/interactions/late`])
    t.match(await rest.call('GET', asked), { status: 503, body: { error: { code: 'host_unreachable' } } }, asked);
  const stored = `${pathOf(session)}/history`;
  const unavailable = { status: 503, body: { error: { code: 'store_unavailable' } } };
  t.match(await rest.call('GET', stored), unavailable, 'the store is away');

  store.trouble = undefined;
  await back();
  await until(() => isStored(late), 'the history is stored');
  const before = await answers(rest, late, recording);
  await kill();
  t.same(await answers(rest, late, recording), before);
  t.match(await rest.call('GET', path), { status: 200, body: { entries: [{ requestId: 'late' }] } });
  const key = `histories/${session.id}.db`;
  const object = store.objects.get(key);
  if (!object) throw new Error('there is no object');
  store.objects.set(key, { ...object, bytes: Buffer.from(object.bytes).fill(1, 100, 101) });
  t.match(await rest.call('GET', stored), unavailable, 'something else than was stored');
  store.objects.set(key, object);
  t.equal((await rest.call('GET', stored)).status, 200);
  const keys = [...store.objects.keys()].filter((key) => key.startsWith('histories/'));
  t.same(keys.sort(), [late, session].map(({ id }) => `histories/${id}.db`).sort(), 'one object each');
});

/** Has what is there have ended before the sessions that are kept. */
function age(dataDir: string, statement: string): void {
  const database = openDatabase(databasePath(dataDir));
  try {
    database.prepare<[number]>(statement).run(Date.now() - LIMITS.endedKeptMs - 1_000);
  } finally {
    database.close();
  }
}

t.test(
  'at the end of its retention a history is deleted by its host or, while that is away, by an edge',
  { skip },
  async (t) => {
    const store = await S3Server.start();
    t.teardown(() => store.close());
    const { rest, edge, hostDir, name, host, kill, isStored } = await start(t, store.environment);
    const end = async () => {
      const session = await rest.createSession('ios');
      await rest.releaseSession(session.id);
      await until(() => isStored(session), 'the history is stored');
    };
    const histories = () => [...store.objects.keys()].filter((key) => key.startsWith('histories/')).length;
    await end();
    t.equal(histories(), 1);
    await host.kill();
    age(hostDir, 'UPDATE session SET released_at_ms = ?');
    await host.start();
    await until(() => histories() === 0, 'its host has deleted it');
    const kept = () => look(hostDir, `SELECT count(*) FROM session WHERE history <> 'null'`);
    await until(() => kept() === 0, 'its host has noted that');

    await whenIn(rest, name, 'here');
    await end();
    t.equal(histories(), 1);
    await kill();
    await edge.stop();
    age(edge.dataDir, 'UPDATE host_session SET ended_at_ms = ?');
    await edge.start();
    await until(() => histories() === 0, 'an edge has deleted it');
  },
);

t.test('without an object store the history is with its host alone', { skip }, async (t) => {
  const { rest, kill } = await start(t, {});
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'tap', x: 0.25, y: 0.5, requestId: 'one' });
  await rest.releaseSession(session.id);
  await kill();
  t.equal((await rest.call('GET', `/service/sessions/${session.id}`)).status, 200);
  const answer = await rest.call('GET', `${pathOf(session)}/history`);
  t.match(answer, { status: 503, body: { error: { code: 'host_unreachable' } } });
});

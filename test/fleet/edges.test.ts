import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { KeyList, RecordingRecord, SessionList } from '@runcloud/protocol';
import t from 'tap';
import { SAMPLE } from '../conformance/sample-app.ts';
import { startKillableFleet } from '../support/fleet.ts';
import { FLEET_ENVIRONMENT } from '../support/fleet-losses.ts';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { RestClient } from '../support/rest-client.ts';
import { S3Server } from '../support/s3/s3-server.ts';
import { TEST_KEY } from '../support/server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { until } from '../support/until.ts';

/** Two edges that have a PostgreSQL database in common. */

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than an edge may go without a look at the database, and than a host waits for a silent one. */
const STOPPED_MS = 12_000;

interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

t.test('two edges', { skip: withoutNats() || withoutPostgres() }, async (t) => {
  const objects = await S3Server.start();
  t.teardown(() => objects.close());
  const fleet = await startKillableFleet(
    { ...FLEET_ENVIRONMENT, ...objects.environment },
    [{ RUNCLOUD_DEVICES: 'virtual-ios:4' }, { RUNCLOUD_DEVICES: 'virtual-ios:4,virtual-android:1' }],
    2,
  );
  t.teardown(() => fleet.close());
  const { postgres } = fleet;
  const [one, other] = fleet.edges;
  if (!one || !other || !postgres) throw new Error('the fleet is not as it should be');
  const at = (url: string, key = TEST_KEY) => new RestClient(url, key);
  const create = async (url: string, name: string) =>
    at(url).call<CreatedKey>('POST', '/service/account/keys', { name });
  const statusOf = async (url: string, key: string) => (await at(url, key).call('GET', '/service/account')).status;

  await t.test('a key that one made is good at the other, until it is revoked at either', async (t) => {
    const { status, body } = await create(one.url, 'shared');
    t.equal(status, 201);
    await until(async () => (await statusOf(other.url, body.key)) === 200, 'it is good at the other');
    const revoked = await at(other.url).call('DELETE', `/service/account/keys/${body.id}`);
    t.equal(revoked.status, 200);
    t.equal(await statusOf(other.url, body.key), 401, 'at once where it was revoked');
    await until(async () => (await statusOf(one.url, body.key)) === 401, 'and soon where it was made');
  });

  await t.test('a session of one is driven and listed through the other', async (t) => {
    const made = [];
    for (let index = 0; index < 5; index++) made.push(await at(one.url).createSession('ios'));
    for (const session of made) {
      t.match(await at(other.url).interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    }
    const listed: string[] = [];
    for (let query = '?limit=2', page = 0; page < 10; page++) {
      const edge = page % 2 === 0 ? one : other;
      const { status, body } = await at(edge.url).call<SessionList>('GET', `/service/sessions${query}`);
      t.equal(status, 200);
      listed.push(...body.sessions.map(({ id }) => id));
      if (body.next === undefined) break;
      query = `?limit=2&cursor=${body.next}`;
    }
    t.same(listed, made.map(({ id }) => id).toReversed(), 'each page at another edge');
  });

  await t.test('an app that one took is installed by a session of the other, from the object store', async (t) => {
    const upload = (edge: ServiceProcess) =>
      at(edge.url).fetch('/service/assets', {
        method: 'POST',
        body: new Uint8Array(readFileSync('server/sample/sample.apk')),
      });
    const packages = () => [...objects.objects.keys()].filter((key) => key.startsWith('assets/'));
    const both = await Promise.all([upload(one), upload(other)]);
    const ids: string[] = [];
    for (const answer of both) {
      t.ok([201, 503].includes(answer.status), `accepted, or to be repeated: ${answer.status}`);
      if (answer.status === 201) ids.push(((await answer.json()) as { id: string }).id);
    }
    t.ok(ids.length > 0);
    await until(() => packages().length === 1, 'the content is stored once');
    const [id = ''] = ids;
    await until(
      async () => (await at(other.url).call('GET', `/service/assets/${id}`)).status === 200,
      'it is known at the other edge',
    );
    for (const edge of [one, other]) {
      const session = await at(edge.url).createSession('android', { installAssets: [id] });
      t.match(await at(edge.url).interact(session, { action: 'launchApp', app: SAMPLE }), { status: 200 });
      await at(edge.url).call('DELETE', `/service/sessions/${session.id}`);
    }
    for (const each of ids) t.equal((await at(one.url).call('DELETE', `/service/assets/${each}`)).status, 200);
    await until(() => packages().length === 0, 'the last deletion takes it out of the store');
    await until(
      async () => (await at(other.url).call('GET', `/service/assets/${id}`)).status === 404,
      'and it is gone at the other edge',
    );
  });

  await t.test('a recording that was begun at one is had at the other', async (t) => {
    const session = await at(one.url).createSession('android');
    const path = `/service/android/${session.id}/recordings`;
    const { body: begun } = await at(one.url).call<RecordingRecord>('POST', path);
    await sleep(500);
    t.equal((await at(other.url).call('POST', `${path}/${begun.id}/stop`)).status, 200);
    const record = async () => (await at(other.url).call<RecordingRecord>('GET', `${path}/${begun.id}`)).body;
    await until(async () => (await record()).status === 'ready', 'it is ready');
    const { downloadUrl = '', checksum } = await record();
    const file = Buffer.from(await (await at(one.url).fetch(downloadUrl)).arrayBuffer());
    t.equal(`sha256:${createHash('sha256').update(file).digest('hex')}`, checksum);
    await at(one.url).call('DELETE', `/service/sessions/${session.id}`);
  });

  await t.test('PostgreSQL killed while both write: what was acknowledged is there, everywhere, once', async (t) => {
    const acknowledged = new Map<string, CreatedKey>();
    const outcomes = new Map<number, number>();
    let isOver = false;
    const write = async (url: string, writer: string) => {
      for (let number = 0; !isOver; number++) {
        const name = `${writer}-${number}`;
        const { status, body } = await create(url, name);
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
        if (status !== 201) continue;
        acknowledged.set(name, body);
        // The account may have 50 keys.
        if (number % 4 === 0) continue;
        const gone = await at(url).call('DELETE', `/service/account/keys/${body.id}`);
        if (gone.status === 200) acknowledged.delete(name);
      }
    };
    const writers = [write(one.url, 'one'), write(other.url, 'other')];
    for (const downMs of [50, 500, 4_000]) {
      await sleep(300);
      await postgres.stop();
      await sleep(downMs);
      // Known keys are good, and sessions go on.
      t.equal(await statusOf(one.url, TEST_KEY), 200, `readable after ${downMs} ms`);
      await postgres.start();
    }
    await until(() => (outcomes.get(201) ?? 0) > 20, 'keys were made in between');
    isOver = true;
    await Promise.all(writers);
    t.strictSame(
      [...outcomes.keys()].filter((status) => ![201, 503, 409, 429].includes(status)),
      [],
      'each answer is one of those that say what has happened',
    );
    const namesAt = async (url: string) => {
      const { body } = await at(url).call<KeyList>('GET', '/service/account/keys?limit=100');
      return body.keys.map(({ name }) => name).sort();
    };
    await until(
      async () => JSON.stringify(await namesAt(one.url)) === JSON.stringify(await namesAt(other.url)),
      'both have the same keys',
    );
    const names = await namesAt(one.url);
    t.equal(new Set(names).size, names.length, 'each once');
    for (const [name, { key }] of acknowledged) {
      t.ok(names.includes(name), `${name} is there`);
      t.equal(await statusOf(other.url, key), 200, 'and is good');
    }
  });

  await t.test('an edge that stood still does not accept what was revoked meanwhile', async (t) => {
    const { body } = await create(one.url, 'stale');
    await until(async () => (await statusOf(other.url, body.key)) === 200, 'it is good at both');
    other.signal('SIGSTOP');
    t.equal((await at(one.url).call('DELETE', `/service/account/keys/${body.id}`)).status, 200);
    await sleep(STOPPED_MS);
    // They wait in its sockets, and are what it finds first.
    const asked = Array.from({ length: 20 }, () => statusOf(other.url, body.key));
    await sleep(100);
    other.signal('SIGCONT');
    const statuses = new Set(await Promise.all(asked));
    t.notOk(statuses.has(200), `answered ${[...statuses]}`);
    await until(async () => (await statusOf(other.url, TEST_KEY)) === 200, 'it serves again');
  });
});

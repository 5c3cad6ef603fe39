import { randomBytes } from 'node:crypto';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { placeIn } from '@runcloud/protocol/terms';
import t from 'tap';
import { decodeFrame, decodeHead, encodeFrame, encodeHead, FRAME } from '../../server/fleet/frames.ts';
import { FLEET_KEY_PURPOSE, GrantSigner } from '../../server/fleet/grants.ts';
import type { ClosedHead, Grant, OpenHead, Presence, ReplyHead } from '../../server/fleet/messages.ts';
import { EDGES, PRESENCES, presenceOf, toEdge, toHost } from '../../server/fleet/subjects.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import { startFleet } from '../support/fleet.ts';
import type { KeptLine } from '../support/kept-lines.ts';
import { withoutNats } from '../support/nats-server.ts';
import { readMetrics } from '../support/prometheus.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { until } from '../support/until.ts';

/** What somebody can do who has one of the NATS users, and not the edges' key. */

const skip = withoutNats();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

t.test('a fleet', { skip }, async (t) => {
  const lines: KeptLine[] = [];
  const fleet = await startFleet(
    { RUNCLOUD_PORT: '0', RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'warn', RUNCLOUD_DEVICES: 'virtual-ios:1' },
    [{}, {}],
    undefined,
    () => ({ write: (line) => void lines.push(JSON.parse(line) as KeptLine) }),
  );
  t.teardown(() => fleet.close());
  const rest = new RestClient(fleet.edge.app.url, TEST_KEY);
  const session = await rest.createSession('ios');
  const [edgeUser, hostUser] = fleet.users;
  const as = async (user: typeof edgeUser): Promise<NatsConnection> => {
    const connection = await connect({
      servers: fleet.nats.address,
      user: user?.user ?? '',
      pass: user?.password ?? '',
    });
    t.teardown(() => connection.close());
    return connection;
  };

  await t.test("a host's user can neither read nor write what is another's", async (t) => {
    const connection = await as(hostUser);
    const refused: string[] = [];
    void (async () => {
      for await (const status of connection.status()) if (status.type === 'error') refused.push(String(status.error));
    })();
    const foreign = [toHost('host-2'), toEdge('*', 'host-2'), presenceOf('host-2'), PRESENCES, 'runcloud.>', '>'];
    for (const subject of foreign) {
      const before = refused.length;
      connection.subscribe(subject, { callback: () => undefined });
      await connection.flush();
      for (let tries = 0; tries < 100 && refused.length === before; tries++) await sleep(10);
      t.match(refused.at(-1), /Permissions Violation.*[Ss]ubscri/, subject);
    }
    for (const subject of [toHost('host-2'), toEdge('e1', 'host-2'), presenceOf('host-2'), EDGES, toHost('host-1')]) {
      const before = refused.length;
      connection.publish(subject, 'x');
      await connection.flush();
      for (let tries = 0; tries < 100 && refused.length === before; tries++) await sleep(10);
      t.match(refused.at(-1), /Permissions Violation.*[Pp]ublish/, subject);
    }
  });

  await t.test('a wrong password is refused', async (t) => {
    const wrong = { servers: fleet.nats.address, user: 'host-1', pass: 'guess', reconnect: false };
    await t.rejects(connect(wrong));
  });

  await t.test(
    'a grant that is forged, expired, for another channel, host or start, or shown twice opens nothing',
    async (t) => {
      const connection = await as(edgeUser);
      const store = new Store(databasePath(fleet.edge.dataDir));
      const key = store.secrets.get(FLEET_KEY_PURPOSE);
      store.close();
      const signer = new GrantSigner(key);
      let presence: Presence | undefined;
      connection.subscribe(presenceOf('host-1'), {
        callback: (_error, message) => {
          presence = message.json<Presence>();
        },
      });
      for (let tries = 0; tries < 500 && !presence; tries++) await sleep(10);
      if (!presence) throw new Error('the host does not tell that it is there');
      const edge = 'Intruder';
      const answers: string[] = [];
      connection.subscribe(toEdge(edge, '*'), {
        callback: (_error, message) => {
          const frame = decodeFrame(message.data);
          if (frame?.type === FRAME.reply) answers.push(`reply ${decodeHead<ReplyHead>(frame.payload).head.status}`);
          if (frame?.type === FRAME.closed) answers.push(`closed ${decodeHead<ClosedHead>(frame.payload).head.code}`);
        },
      });
      await connection.flush();
      const { body: account } = await rest.call<{ id: string; organizationId: string }>('GET', '/service/account');
      const caller = {
        principal: {
          accountId: account.id,
          organizationId: account.organizationId,
          accountName: 'local',
          keyId: 'key_of_nobody',
        },
        accountEpoch: 0,
      };
      /** Asks for the session as its account: what it answers, or how the channel is closed. */
      const open = async (channel: number, change: Partial<Grant>, by = signer): Promise<string | undefined> => {
        const grant: Grant = {
          edge,
          channel,
          host: 'host-1',
          epoch: presence?.epoch ?? 0,
          expiresAtMs: Date.now() + 60_000,
          caller,
          ...change,
        };
        const head: OpenHead = {
          grant: by.sign(grant),
          kind: 'http',
          requestId: `asked-${channel}`,
          method: 'GET',
          path: `/service/sessions/${session.id}`,
          query: '',
          headers: {},
          address: '127.0.0.1',
        };
        const before = answers.length;
        connection.publish(toHost('host-1'), encodeFrame(FRAME.open, channel, 0, ...encodeHead(head)), {
          reply: toEdge(edge, 'host-1'),
        });
        for (let tries = 0; tries < 300 && answers.length === before; tries++) await sleep(10);
        return answers[before];
      };
      const isOnFirst = placeIn(session.id) === presence.place;
      const good = isOnFirst ? 'reply 200' : 'reply 404';
      t.equal(await open(10, {}), good, 'with the key of the edges everything opens');
      t.equal(await open(10, {}), 'closed 1006', 'once');
      t.equal(await open(9, {}), 'closed 1006', 'not an earlier one');
      const bad: Record<string, Partial<Grant>> = {
        'of another edge': { edge: 'Other' },
        'for another channel': { channel: 99 },
        'for another host': { host: 'host-2' },
        'for an earlier start': { epoch: presence.epoch - 1 },
        expired: { expiresAtMs: Date.now() - 1 },
      };
      let channel = 20;
      for (const [what, change] of Object.entries(bad)) t.equal(await open(++channel, change), 'closed 1006', what);
      t.equal(await open(++channel, {}, new GrantSigner(randomBytes(32))), 'closed 1006', 'of another key');
      const later = { epoch: presence.epoch + 1 };
      t.equal(await open(++channel, later, new GrantSigner(randomBytes(32))), 'closed 1006', 'of both');
      t.equal(
        await open(++channel, { ...later, expiresAtMs: Date.now() - 1 }),
        'closed 1006',
        'expired, for a later start',
      );
      t.equal(await open(++channel, {}), good, 'and the host goes on');
      const refused = lines.filter(({ msg }) => msg === "an edge's grant was refused");
      t.strictSame(
        refused.map(({ channelId, reason }) => `${channelId} ${reason}`),
        [
          'Intruder.10 reused',
          'Intruder.9 reused',
          'Intruder.21 misdirected',
          'Intruder.22 misdirected',
          'Intruder.23 misdirected',
          'Intruder.24 misdirected',
          'Intruder.25 expired',
          'Intruder.26 unsigned',
          'Intruder.27 unsigned',
          'Intruder.28 misdirected',
        ],
        'each has its line',
      );
      t.match(refused[0], { requestId: 'asked-10', sessionId: session.id, call: 'GET /service/sessions/{sessionId}' });
      const counted = async (reason: string) =>
        (await readMetrics(rest.url)).get(`runcloud_host_channel_refusals_total{host="host-1",reason="${reason}"}`);
      await until(async () => (await counted('misdirected')) === 5, 'the host has told the edge');
      t.equal(await counted('unsigned'), 2);
    },
  );

  await t.test('what an edge does not sign revokes nothing and changes no address', async (t) => {
    const connection = await as(edgeUser);
    const forger = new GrantSigner(randomBytes(32));
    const notices = [
      { kind: 'here', edge: 'x', number: 1, publicUrl: 'https://evil.example' },
      { kind: 'credentialRevoked', holder: 'key_1' },
    ];
    for (const notice of notices) connection.publish(EDGES, forger.sign(notice));
    connection.publish(EDGES, 'nonsense');
    connection.publish(toHost('host-1'), new Uint8Array(30).fill(255));
    connection.publish(toHost('host-1'), encodeFrame(FRAME.open, 1, 0, Buffer.from('nonsense')), {
      reply: toEdge('x', 'host-1'),
    });
    await connection.flush();
    const { body } = await rest.call<{ url: string }>('GET', `/service/sessions/${session.id}`);
    t.ok(body.url.startsWith(fleet.edge.app.url));
  });
});

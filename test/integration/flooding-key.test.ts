import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import { CLOSE, encodeClientMessage, LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { WebSocket } from 'ws';
import { ControlClient } from '../support/control-client.ts';
import { startServer, type TestServer } from '../support/server.ts';

const server = await startServer({ RUNCLOUD_RATE_LIMIT: '50/50' });
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');
const connect = () => ControlClient.connect(server.url, session, server.rest.authorization);

/** The status that refuses an upgrade. */
function refusalOf({ platform, id }: SessionRecord, { url, rest }: TestServer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: rest.authorization };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/service/${platform}/${id}/control`, 'runcloud.v1', {
      headers,
    });
    socket.on('unexpected-response', (_request, response) => {
      response.destroy();
      resolve(response.statusCode);
    });
    socket.on('open', () => reject(new Error('it opened')));
    socket.on('error', reject);
  });
}

t.test('calls beyond the limit are refused late, so that a client cannot ask thousands of times', async (t) => {
  const statuses: number[] = [];
  const startMs = performance.now();
  let refusedMs = 0;
  while (!statuses.includes(429)) {
    const askedMs = performance.now();
    const response = await server.rest.fetch('/service/sessions');
    await response.text();
    statuses.push(response.status);
    refusedMs = performance.now() - askedMs;
    if (response.status === 429) t.ok(Number(response.headers.get('Retry-After')) >= 1);
    if (performance.now() - startMs > 30_000) break;
  }
  t.ok(statuses.includes(200));
  t.ok(refusedMs >= 249, `refused after ${refusedMs} ms`);
});

t.test(
  'a socket that sends on and on is closed, and its key opens no other for a while; other sockets stay',
  async (t) => {
    const quiet = await connect();
    const loud = await connect();
    const ping = { type: 'ping', id: 1 };
    for (let index = 0; index < LIMITS.overloadsPerMinute * 3; index++) loud.send(ping);
    t.equal((await loud.closed).code, CLOSE.policy.code);
    const refused = loud.messages.filter((message) => message.type === 'error');
    t.ok(refused.every((message) => 'code' in message && message.code === 'rate_limited'));
    const askedMs = performance.now();
    t.equal(await refusalOf(session, server), 429);
    const refusedMs = performance.now() - askedMs;
    t.ok(refusedMs >= LIMITS.refusedOpeningMs - 1, `refused after ${refusedMs} ms`);
    await sleep(1_000);
    quiet.send(ping);
    t.match(await quiet.next('pong'), { id: 1 });
    await quiet.close();
  },
);

t.test("acknowledgements of pictures and WebSocket's own pings are free, but not without end", async (t) => {
  const other = await startServer();
  t.teardown(() => other.close());
  const { url, id } = await other.rest.createSession('android');
  t.ok(url);
  const closed = (flood: (socket: WebSocket) => void) =>
    new Promise<number>((resolve, reject) => {
      const socket = new WebSocket(`${other.url.replace('http', 'ws')}/service/android/${id}/control`, 'runcloud.v1', {
        headers: { Authorization: other.rest.authorization },
      });
      socket.on('open', () => flood(socket));
      socket.on('close', resolve);
      socket.on('error', reject);
    });
  const { freeFramesPerSecond } = LIMITS;
  t.equal(
    await closed((socket) => {
      for (let index = 0; index < freeFramesPerSecond * 4; index++) socket.ping();
    }),
    CLOSE.policy.code,
  );
  const ack = encodeClientMessage({ type: 'screen.ack', streamId: 1, seq: 1 });
  // As many as the key has messages, and as many refusals as it may have.
  t.equal(
    await closed((socket) => {
      for (let index = 0; index < LIMITS.socketMessagesPerSecond * 4; index++) socket.send(ack);
    }),
    CLOSE.policy.code,
  );
});

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

/** The status that refuses an upgrade, or the code that an opened socket is closed with. */
function endOf(
  { platform, id }: SessionRecord,
  { url, rest }: TestServer,
  flood: (socket: WebSocket) => void,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: rest.authorization };
    const socket = new WebSocket(`${url.replace('http', 'ws')}/service/${platform}/${id}/control`, 'runcloud.v1', {
      headers,
    });
    socket.on('unexpected-response', (_request, response) => {
      response.destroy();
      resolve(response.statusCode);
    });
    socket.on('open', () => flood(socket));
    socket.on('close', resolve);
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
    t.equal(await endOf(session, server, (socket) => socket.close()), 429);
    const refusedMs = performance.now() - askedMs;
    t.ok(refusedMs >= LIMITS.refusedOpeningMs - 1, `refused after ${refusedMs} ms`);
    await sleep(1_000);
    quiet.send(ping);
    t.match(await quiet.next('pong'), { id: 1 });
    await quiet.close();
  },
);

t.test('acknowledgements of pictures are free, but not without end', async (t) => {
  const ack = encodeClientMessage({ type: 'screen.ack', streamId: 1, seq: 1 });
  const other = await startServer();
  t.teardown(() => other.close());
  const flooded = await other.rest.createSession('android');
  // As many as the key has messages, and as many refusals as it may have.
  const code = await endOf(flooded, other, (socket) => {
    for (let index = 0; index < LIMITS.socketMessagesPerSecond * 4; index++) socket.send(ack);
  });
  t.equal(code, CLOSE.policy.code);
});

t.test(
  "WebSocket's own pings are free, but not without end; a key that goes on opens no socket for a while",
  async (t) => {
    const other = await startServer();
    t.teardown(() => other.close());
    const flooded = await other.rest.createSession('android');
    const ends: (number | undefined)[] = [];
    while (ends.at(-1) !== 429 && ends.length < 100) {
      const end = await endOf(flooded, other, (socket) => {
        for (let index = 0; index < LIMITS.freeFramesPerSecond * 4; index++) socket.ping();
      });
      ends.push(end);
    }
    const closed = ends.slice(0, -1);
    t.ok(closed.every((code) => code === CLOSE.policy.code));
    t.ok(closed.length > LIMITS.overloadsPerMinute / LIMITS.refusalsPerPingFlood, `${closed.length} sockets`);
    t.equal(ends.at(-1), 429);
  },
);

import { CLOSE, decodeServerMessage, encodeClientMessage, LIMITS } from '@runcloud/protocol';
import t from 'tap';
import { type RateLimiter, RateLimiters } from '../../server/account/rate-limiters.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { SHORT_TASKS_MAX } from '../../server/flow/fair-scheduler.ts';
import { controlEngine } from '../support/control-engine.ts';

const steps = Array.from({ length: 200 }, (_, index) => ({
  phase: index === 0 ? 'begin' : index === 199 ? 'end' : 'move',
  points: [{ x: 0.123, y: 0.5 }],
}));
const gesture = (requestId: string, fields: object = {}) =>
  encodeClientMessage({ type: 'interaction', requestId, action: 'gesture', acks: 'final', steps, ...fields });
const ping = (id: number) => encodeClientMessage({ type: 'ping', id });
const turn = () => new Promise((resolve) => void setImmediate(resolve));
/** The messages handled so far, after `count` of them: a long one waits until the event loop has time, which may be late by its clock. */
async function toldInTheEnd(told: readonly string[], count: number): Promise<readonly string[]> {
  const endMs = performance.now() + 10_000;
  while (told.length < count && performance.now() < endMs) await turn();
  for (let round = 0; round < 5; round++) await turn();
  return told;
}

async function openEngine() {
  const engine = await controlEngine(systemClock);
  const told: string[] = [];
  const open = (accountId?: string, rateLimiter?: RateLimiter) => {
    const socket = engine.open('control', accountId, rateLimiter);
    const send = socket.outlet.send.bind(socket.outlet);
    socket.outlet.send = (bytes) => {
      const read = decodeServerMessage(bytes);
      if (read.kind === 'message') {
        const { message } = read;
        told.push(
          'id' in message ? `pong ${message.id}` : 'requestId' in message ? `${message.requestId}` : message.type,
        );
        if ('error' in message && message.error) told.push(message.error.code);
      }
      return send(bytes);
    };
    return socket;
  };
  return { ...engine, told, open };
}

t.test('a long message waits for a turn, and whatever follows it on its socket comes after it', async (t) => {
  const { open, told } = await openEngine();
  t.ok(gesture('g').length > LIMITS.lightBytes);
  const { connection } = open();
  // Refused, so that its answer comes at once.
  connection.receive(gesture('g', { steps: steps.slice(0, -1) }));
  for (let id = 0; id < 3; id++) connection.receive(ping(id));
  t.same(told, []);
  t.same(await toldInTheEnd(told, 5), ['g', 'invalid_interaction', 'pong 0', 'pong 1', 'pong 2']);
  connection.receive(ping(9));
  await turn();
  t.equal(told.at(-1), 'pong 9', 'and then short ones are read at once again');
});

t.test('a long message holds up no other socket, not even of its own account', async (t) => {
  const { open, told } = await openEngine();
  const [one, other] = [open(), open()];
  one.connection.receive(gesture('g'));
  other.connection.receive(ping(1));
  await new Promise((resolve) => void process.nextTick(() => process.nextTick(() => process.nextTick(resolve))));
  t.same(told, ['pong 1']);
});

t.test(
  'of many short messages some are read where they come, and the others in order as the loop has room',
  async (t) => {
    const { open, told } = await openEngine();
    const [one, other] = [open(), open('other')];
    const pings = Array.from({ length: SHORT_TASKS_MAX * 3 }, (_, id) => id);
    for (const id of pings) one.connection.receive(ping(id));
    other.connection.receive(ping(-1 >>> 0));
    await new Promise((resolve) => void process.nextTick(() => process.nextTick(() => process.nextTick(resolve))));
    t.equal(told.length, SHORT_TASKS_MAX + 1);
    t.equal(told.at(-1), `pong ${-1 >>> 0}`, 'another account is answered in the same turn');
    t.same(
      (await toldInTheEnd(told, pings.length + 1)).filter((line) => line !== `pong ${-1 >>> 0}`),
      pings.map((id) => `pong ${id}`),
    );
  },
);

t.test('the pending messages of an account are limited, and a refusal has the id of its message', async (t) => {
  const { open, told } = await openEngine();
  const { connection, outlet } = open();
  const fits = Math.floor(LIMITS.waitingBytesPerAccount / (gesture('g-000').length + 256));
  for (let index = 0; index <= fits; index++) connection.receive(gesture(`g-${String(index).padStart(3, '0')}`));
  connection.receive(gesture('last'));
  await turn();
  t.same(told.slice(0, 4), [`g-${fits}`, 'rate_limited', 'last', 'rate_limited']);
  t.equal(outlet.closed, undefined);
});

t.test('messages that were received before a socket was lost are carried out', async (t) => {
  const { open, told } = await openEngine();
  const { connection } = open();
  connection.receive(gesture('g'));
  connection.lost(1000);
  for (let round = 0; round < 1_000; round++) await turn();
  t.same(told, [], 'nobody is told');
  const { connection: again } = open();
  again.receive(encodeClientMessage({ type: 'interaction', requestId: 'g', action: 'reload' }));
  t.same(await toldInTheEnd(told, 2), ['g', 'duplicate_request'], 'another request has this id');
});

t.test('nothing is carried out for a socket whose key was revoked', async (t) => {
  const { open, told } = await openEngine();
  const { connection } = open();
  connection.receive(gesture('g'));
  connection.end(CLOSE.revoked);
  for (let round = 0; round < 5; round++) await turn();
  const { connection: again } = open();
  again.receive(encodeClientMessage({ type: 'interaction', requestId: 'g', action: 'reload', acks: 'final' }));
  t.same(await toldInTheEnd(told, 1), ['g'], 'the id is free');
});

t.test('an acknowledgement of pictures costs nothing of the allowance: those who look on are many', async (t) => {
  const { open, told } = await openEngine();
  const rateLimiter = new RateLimiters(1, systemClock).of({ holder: 'link' });
  while (rateLimiter.take());
  const { connection } = open('guests', rateLimiter);
  for (let seq = 1; seq < 10; seq++) connection.receive(encodeClientMessage({ type: 'screen.ack', streamId: 1, seq }));
  await turn();
  t.same(told, []);
  connection.receive(ping(1));
  await turn();
  t.same(told, ['error'], 'as anything else does');
});

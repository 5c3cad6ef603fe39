import { setTimeout as sleep } from 'node:timers/promises';
import type { CreatedViewerLink } from '@runcloud/protocol';
import { CLOSE, LIMITS } from '@runcloud/protocol/terms';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

/** Few messages a second, so that a flood is quickly made. */
const server = await startServer({ RUNCLOUD_RATE_LIMIT: '5000/40' });
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');
/** The owner's viewer holds a token of the same session, as its guests do. */
const owner = await ControlClient.connectWithToken(server.url, session, server.url);

async function guest(): Promise<ControlClient> {
  const made = await server.rest.call<CreatedViewerLink>('POST', `/service/sessions/${session.id}/viewer-links`, {
    role: 'view',
  });
  return ControlClient.connectWithToken(server.url, { ...session, url: made.body.url }, server.url);
}

t.test('one guest that floods takes nothing from another link', async (t) => {
  const [one, other] = [await guest(), await guest()];
  for (let id = 0; id < 200; id++) one.send({ type: 'ping', id });
  await one.next('error', ({ code }) => code === 'rate_limited');
  other.send({ type: 'ping', id: 7 });
  t.match(await other.next('pong'), { id: 7 });
  for (const client of [one, other]) await client.close();
});

t.test('guests that flood are refused and closed, and nothing is taken from the owner', async (t) => {
  const guests = await Promise.all(Array.from({ length: 6 }, guest));
  for (const client of guests) for (let id = 0; id < 2_000; id++) client.send({ type: 'ping', id });
  const closed = await Promise.all(guests.map((client) => client.closed));
  for (const { code } of closed) t.equal(code, CLOSE.policy.code);
  for (let index = 0; index < 20; index++) {
    t.match(await owner.interact({ requestId: `t-${index}`, action: 'tap', x: 0.5, y: 0.5 }), { status: 'completed' });
  }
});

t.test('a guest sends a tenth of the messages that a key may send', async (t) => {
  const other = await startServer({ RUNCLOUD_RATE_LIMIT: '5000/20000' });
  t.teardown(() => other.close());
  const { rest, url } = other;
  const shared = await rest.createSession('ios');
  const path = `/service/sessions/${shared.id}/viewer-links`;
  const { body } = await rest.call<CreatedViewerLink>('POST', path, { role: 'control' });
  const many = LIMITS.guestMessagesPerSecond * 4;
  const refusals = async (client: ControlClient) => {
    let isClosed = false;
    void client.closed.then(() => {
      isClosed = true;
    });
    for (let id = 0; id < many; id++) client.send({ type: 'ping', id });
    while (!isClosed && client.answers.length <= many) await sleep(20);
    return client.messages.filter(({ type }) => type === 'error').length;
  };
  t.equal(await refusals(await ControlClient.connect(url, shared, rest.authorization)), 0);
  t.ok((await refusals(await ControlClient.connectWithToken(url, { ...shared, url: body.url }, url))) > 0);
});

t.test("guests that want every quality leave room for the owner's screen", async (t) => {
  const guests = await Promise.all(Array.from({ length: 4 }, guest));
  for (const [at, client] of guests.entries()) {
    for (let index = 0; index < 4; index++) {
      client.send({ type: 'screen.start', encodings: ['jpeg'], quality: 1 + at * 4 + index, maxLongEdge: 64 });
    }
  }
  await Promise.any(guests.map((client) => client.next('error', ({ code }) => code === 'rate_limited')));
  owner.send({ type: 'screen.start', encodings: ['jpeg'], quality: 77, maxLongEdge: 64 });
  t.match(await owner.next('screen.started'), { encoding: 'jpeg' });
  for (const client of guests) client.terminate();
});

t.test('the owner has gone on all the while on the same socket', async (t) => {
  t.notOk(owner.messages.some(({ type }) => type === 'error'));
  await owner.close();
});

import { CLOSE, decodeServerMessage, encodeClientMessage } from '@runcloud/protocol';
import t from 'tap';
import { Bystander } from '../support/bystander.ts';
import { ControlClient } from '../support/control-client.ts';
import { closeCode, frame, nextFrame, OPCODE, upgradeWire } from '../support/frames.ts';
import { startServer } from '../support/server.ts';
import { watchFaults } from '../support/watch-faults.ts';
import { Wire } from '../support/wire.ts';

t.test('when a session is released its sockets are told why and then closed with 4404', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const clients = await Promise.all(
    [1, 2].map(() => ControlClient.connect(server.url, session, server.rest.authorization)),
  );
  const [first] = clients;
  first?.send({
    type: 'interaction',
    requestId: 'long',
    action: 'swipe',
    from: { x: 0, y: 0 },
    to: { x: 1, y: 1 },
    durationMs: 30_000,
    timeoutMs: 60_000,
  });
  await first?.next('dispatched');
  await server.rest.releaseSession(session.id);
  for (const client of clients) {
    t.same(await client.closed, { code: CLOSE.ended.code, reason: CLOSE.ended.reason });
    t.match(client.messages.at(-1), { type: 'event', event: 'session.ended', reason: 'requested' });
  }
  const endings = first?.messages.filter(({ type }) => type === 'result');
  t.match(
    endings,
    [{ requestId: 'long', status: 'failed', error: { code: 'active_session_not_found' } }],
    'acknowledged before',
  );
  t.equal(endings?.length, 1);
});

t.test('when the server drains, what is pending is acknowledged, then the sockets are closed with 1001', async (t) => {
  const server = await startServer();
  const session = await server.rest.createSession('android');
  const client = await ControlClient.connect(server.url, session, server.rest.authorization);
  const swipe = { action: 'swipe', from: { x: 0, y: 0 }, to: { x: 1, y: 1 }, durationMs: 30_000, timeoutMs: 60_000 };
  for (const requestId of ['running', 'waiting']) client.send({ type: 'interaction', requestId, ...swipe });
  const overRest = server.rest.interact(session, { requestId: 'over-rest', ...swipe });
  await client.next('dispatched');
  await client.next('accepted', ({ requestId }) => requestId === 'waiting');
  await server.close();
  t.same(await client.closed, { code: CLOSE.draining.code, reason: CLOSE.draining.reason });
  for (const requestId of ['running', 'waiting'])
    t.match(await client.result(requestId), { ok: false, status: 'failed' });
  t.match(client.messages.at(-1), { type: 'event', event: 'session.ended', reason: 'server_stopped' });
  t.match(await overRest, { body: { ok: false } });
});

/** Pages of history, more than a system's buffers and the socket's own take; a page has up to 32 KiB. */
const UNREAD = 400;
/** Inputs that fill more than a page. */
const INPUTS = 200;

t.test('a client that stops reading is closed with 4408 while others are served as before', async (t) => {
  const faults = watchFaults();
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const bystander = await Bystander.start(server);
  const neighbour = await ControlClient.connect(server.url, session, server.rest.authorization);
  const wire = await Wire.open(server.url);
  await upgradeWire(wire, `/service/ios/${session.id}/control`, server.rest.authorization);
  const tap = (requestId: string) => neighbour.interact({ requestId, action: 'tap', x: 0.5, y: 0.5 });
  await Promise.all(Array.from({ length: INPUTS }, (_, index) => tap(`i${index}`)));
  wire.pause();
  for (let index = 0; index < UNREAD; index++) {
    const payload = encodeClientMessage({ type: 'history.list', requestId: `s${index}`, limit: INPUTS });
    void wire.write(frame({ opcode: OPCODE.binary, payload }));
    t.match(await tap(`n${index}`), { ok: true });
  }
  // The answers of the neighbour come after those before them.
  neighbour.send({ type: 'history.list', requestId: 'last' });
  t.match(await neighbour.result('last'), { ok: true });
  wire.resume();
  const ids: string[] = [];
  let code: number | undefined;
  for (let next = await nextFrame(wire); next; next = await nextFrame(wire)) {
    if (next.opcode === OPCODE.close) code = closeCode(next);
    if (next.opcode !== OPCODE.binary) continue;
    const read = decodeServerMessage(next.payload);
    if (read.kind === 'message' && read.message.type === 'result') ids.push(read.message.requestId);
  }
  t.equal(code, CLOSE.notReading.code);
  t.ok(ids.length > 0 && ids.length < UNREAD, `${ids.length} results went out before`);
  t.same(
    ids,
    ids.map((_, index) => `s${index}`),
    'none was left out before the end',
  );
  t.ok((await bystander.stop()) > 0);
  await neighbour.close();
  t.same(faults(), []);
});

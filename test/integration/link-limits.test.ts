import { CONTROL_SUBPROTOCOL, LIMITS, type SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { WebSocket } from 'ws';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

/** A new link of the session as its record is with that link's address. */
async function linkOf(session: SessionRecord, role: 'control' | 'view'): Promise<SessionRecord> {
  const links = `/service/sessions/${session.id}/viewer-links`;
  const { body } = await server.rest.call<{ url: string }>('POST', links, { role });
  return { ...session, url: body.url };
}

const join = async (link: SessionRecord) => {
  const client = await ControlClient.connectWithToken(server.url, link, server.url);
  t.teardown(() => client.terminate());
  return client;
};
const own = async (session: SessionRecord) => {
  const client = await ControlClient.connect(server.url, session, server.rest.authorization);
  t.teardown(() => client.terminate());
  return client;
};

/** Opens one more socket by a link, without waiting for its messages; gives the answer that refuses it. */
function knock({ url, platform, id }: SessionRecord): Promise<{ status: number; body: string; socket: WebSocket }> {
  const address = `${server.url.replace('http', 'ws')}/service/${platform}/${id}/control${new URL(url).search}`;
  const socket = new WebSocket(address, CONTROL_SUBPROTOCOL, { headers: { Origin: server.url } });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ status: 101, body: '', socket }));
    socket.on('unexpected-response', (_, response) => {
      let body = '';
      response.on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, socket }));
    });
    socket.on('error', reject);
  });
}

t.test('the socket after the last of a link is refused, those of its owner and of other links are not', async (t) => {
  const session = await server.rest.createSession('ios');
  const greedy = await linkOf(session, 'view');
  const open: WebSocket[] = [];
  while (open.length < LIMITS.socketsPerLink) {
    const { status, socket } = await knock(greedy);
    if (status !== 101) t.fail(`${status} after ${open.length}`);
    open.push(socket);
  }
  const { status, body } = await knock(greedy);
  t.equal(status, 429);
  t.match(JSON.parse(body).error, { code: 'rate_limited', message: /^This link has 500 sockets, as many as one link/ });
  await own(session);
  await join(session);
  await join(await linkOf(session, 'view'));
  await join(await linkOf(session, 'control'));
  const closed = new Promise((resolve) => open[0]?.once('close', resolve));
  open[0]?.close();
  await closed;
  // A refusal is remembered for a second.
  await t.resolves(
    (async () => {
      for (;;) if ((await knock(greedy)).status === 101) return;
    })(),
  );
  for (const socket of open) socket.terminate();
  await server.rest.releaseSession(session.id);
});

for (const role of ['view', 'control'] as const) {
  t.test(`streams and screenshots of a link with the role ${role} end at its own quota`, async (t) => {
    const session = await server.rest.createSession('android');
    const link = await linkOf(session, role);
    const guests = [await join(link), await join(link)];
    const [guest, more] = guests as [ControlClient, ControlClient];
    const start = (client: ControlClient, quality: number) =>
      client.send({ type: 'screen.start', encodings: ['jpeg'], quality });
    for (let quality = 1; quality <= LIMITS.screenProfilesPerLink; quality++) start(guest, quality);
    start(more, 50);
    t.match(await more.next('error'), {
      code: 'rate_limited',
      message: /^This link has 4 different screen streams, as many as one link may have/,
    });
    start(more, 1);
    await more.next('screen.started');
    const owner = await own(session);
    start(owner, 60);
    await owner.next('screen.started');

    const ask = (client: ControlClient, name: string) => client.send({ type: 'screenshot', requestId: name });
    const many = LIMITS.screenshotsPerSecond * 4;
    for (let index = 0; index < many; index++) {
      ask(guest, `g${index}`);
      ask(owner, `o${index}`);
    }
    const ends = async (client: ControlClient, name: string) =>
      Promise.all(Array.from({ length: many }, (_, index) => client.result(`${name}${index}`)));
    const codes = (await ends(guest, 'g')).map((result) => (result.ok ? 'ok' : result.error?.code));
    t.ok(codes.includes('ok'));
    t.ok(codes.includes('rate_limited'));
    t.same([...new Set(codes)].sort(), ['ok', 'rate_limited']);
    t.ok(
      (await ends(owner, 'o')).every(({ ok }) => ok),
      "and none of the owner's is refused",
    );
    await server.rest.releaseSession(session.id);
  });
}

t.test("interactions of a control link end at its own quota, its owner's and another link's are taken", async (t) => {
  const session = await server.rest.createSession('ios');
  const guest = await join(await linkOf(session, 'control'));
  const other = await join(await linkOf(session, 'control'));
  const owner = await own(session);
  const tap = { action: 'tap', x: 0.5, y: 0.9, acks: 'final' };
  const many = LIMITS.interactionsPerSecond * 4;
  for (let index = 0; index < many; index++) guest.send({ type: 'interaction', requestId: `g${index}`, ...tap });
  for (const [name, client] of Object.entries({ o: owner, l: other })) {
    for (let index = 0; index < 50; index++) {
      t.equal((await client.interact({ requestId: `${name}${index}`, ...tap })).status, 'completed');
    }
  }
  const results = await Promise.all(Array.from({ length: many }, (_, index) => guest.result(`g${index}`)));
  const refused = results.flatMap((result) => (result.ok ? [] : [result.error]));
  t.ok(refused.length > 0 && refused.length < many, `${refused.length} of ${many}`);
  for (const error of refused) t.match(error, { code: 'rate_limited', message: /^This link / });
  await server.rest.releaseSession(session.id);
});

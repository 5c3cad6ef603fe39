import type { Acknowledgement, ControlAnswer, ControlState, Event, SessionRecord } from '@runcloud/protocol';
import { CONTROL_SUBPROTOCOL, decodeServerMessage } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { WebSocket } from 'ws';
import { ControlClient } from '../support/control-client.ts';
import { DashboardClient } from '../support/dashboard-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

/** Control of a session over real sockets and REST: whose input is taken, and who is told of it. */

const server = await startServer();
t.teardown(() => server.close());
const { rest, url } = server;
const CENTRE = { action: 'tap', x: 0.5, y: 0.5 };
const POINTS = [{ x: 0.5, y: 0.5 }];
let asked = 0;
const newId = () => `ask-${++asked}`;

const asker =
  (client: ControlClient) =>
  async (type: string, fields: Record<string, unknown> = {}) => {
    const requestId = newId();
    client.send({ type, requestId, ...fields });
    return client.result(requestId);
  };
const answerOf = ({ result }: Pick<Acknowledgement, 'result'>) => result as unknown as ControlAnswer;
const lastTold = (client: ControlClient): ControlState | undefined =>
  client.messages
    .filter((message): message is Event => message.type === 'event')
    .flatMap((event) => (event.event === 'control' ? [event.control] : []))
    .at(-1);

async function open(t: Test) {
  const session = await rest.createSession('ios');
  const path = `/service/ios/${session.id}`;
  const guests = [await guest(session), await guest(session)] as const;
  t.teardown(() => rest.releaseSession(session.id));
  const program = await ControlClient.connect(url, session, rest.authorization);
  return { session, path, guests, asks: [asker(guests[0]), asker(guests[1])] as const, program };
}

const guest = (session: SessionRecord) => ControlClient.connectWithToken(url, session, url);
const call = <T = Acknowledgement>(method: string, path: string, body?: unknown) => rest.call<T>(method, path, body);

t.test('while a guest has control, input of others is refused everywhere, and reads are not', async (t) => {
  const { session, path, guests, asks, program } = await open(t);
  const [ask, askOther] = asks;
  t.match(await ask('interaction', CENTRE), { ok: true }, 'before, everybody sends input');
  t.match(await askOther('interaction', CENTRE), { ok: true });
  const { participant, control } = answerOf(await ask('control.request'));
  t.same(participant, guests[0].messages[0]?.type === 'ready' ? guests[0].messages[0].participant : undefined);
  t.match(control, { holder: { id: participant.id, label: 'Session link', owner: false }, waiting: [] });

  const code = 'not_in_control';
  const askKey = asker(program);
  for (const by of [askOther, askKey]) {
    t.match(await by('interaction', CENTRE), { status: 'failed', error: { code, retryable: true } });
    t.match(await by('pointer', { phase: 'begin', points: POINTS }), { error: { code }, action: 'pointer' });
    t.match(await by('open-url', { url: 'https://a.example' }), { error: { code } });
    t.match(await by('clipboard.set', { text: 'no' }), { error: { code } });
    t.match(await by('clipboard.get'), { ok: true });
    t.match(await by('screenshot'), { ok: true });
    t.match(await by('recording.list'), { ok: true });
  }
  const since = control.holder?.since;
  const message = `Session link has control of this session since ${since}.`;
  for (const [method, route, body] of [
    ['POST', 'interactions', CENTRE],
    ['POST', 'open-url', { url: 'https://a.example' }],
    ['PUT', 'clipboard', { text: 'no' }],
  ] as const) {
    const refused = await call(method, `${path}/${route}`, body);
    t.match(refused, { status: 409, body: { error: { code, message } } }, route);
    const seconds = Number(refused.headers.get('Retry-After'));
    t.ok(seconds > 0 && seconds <= 30, `${seconds} s`);
    t.equal((await call(method, `${path}/${route}?force=true`, body)).status, 200, `${route} by force`);
    t.match(await call(method, `${path}/${route}?force=yes`, body), { status: 400 });
  }
  t.equal((await call('GET', `${path}/clipboard`)).status, 200);
  t.match(await call('GET', `/service/sessions/${session.id}`), {
    body: { control: { holder: { id: participant.id } } },
  });
  t.match(await ask('interaction', CENTRE), { ok: true }, 'force took nothing');
  await ask('control.release');
  t.notOk('control' in (await call('GET', `/service/sessions/${session.id}`)).body);
  t.match(await askOther('interaction', CENTRE), { ok: true });
});

t.test('one asks, all are told, and the other grants', async (t) => {
  const { session, path, guests, asks } = await open(t);
  const [ask, askOther] = asks;
  await ask('control.request');
  const { participant: other } = answerOf(await askOther('control.request'));
  await guests[0].next('event', (event) => event.event === 'control' && event.control.waiting.length === 1);
  t.match(lastTold(guests[0]), { waiting: [{ id: other.id }] });
  t.match(await askOther('control.grant', { participant: other.id }), { error: { code: 'not_in_control' } });
  t.match(answerOf(await ask('control.grant', { participant: other.id })).control, { holder: { id: other.id } });
  await guests[1].next('event', (event) => event.event === 'control' && event.control.holder?.id === other.id);
  t.match(await ask('interaction', CENTRE), { error: { code: 'not_in_control' } });
  t.match(await askOther('interaction', CENTRE), { ok: true });

  const late = await guest(session);
  t.match(late.messages[0], { type: 'ready', session: { control: { holder: { id: other.id } } } });
  t.match(await ask('control.take'), { error: { code: 'owner_required' } });
  const taken = await call<ControlAnswer>('POST', `${path}/control`, { step: 'take' });
  t.match(taken, { status: 200, body: { participant: { owner: true }, control: { holder: { owner: true } } } });
  t.equal((await rest.interact(session, CENTRE)).status, 200);
  t.match(await call('POST', `${path}/control`, { step: 'grant' }), {
    status: 400,
    body: { error: { message: /participant/ } },
  });
  t.match(await call('POST', `${path}/control`, { step: 'grant', participant: 'prt_1' }), { status: 404 });
  t.match(await call<ControlAnswer>('DELETE', `${path}/control`), { status: 200, body: { control: { waiting: [] } } });
});

t.test('a key is one participant over REST and on each of its sockets; another key is another', async (t) => {
  const { session, path, program } = await open(t);
  const second = await ControlClient.connect(url, session, rest.authorization);
  const { body: made } = await call<{ key: string }>('POST', '/service/account/keys', { name: '  agent \u202e7  ' });
  const otherRest = new RestClient(url, made.key);
  const agent = await ControlClient.connect(url, session, otherRest.authorization);
  const { participant, control } = answerOf(await asker(agent)('control.request'));
  t.equal(control.holder?.label, 'agent  7', 'the name of the key, without what is not seen');
  t.notMatch(JSON.stringify(agent.messages), made.key);
  t.equal((await otherRest.interact(session, CENTRE)).status, 200);
  t.equal((await rest.interact(session, CENTRE)).status, 409);
  const taken = await call<ControlAnswer>('POST', `${path}/control`, { step: 'take' });
  t.not(taken.body.participant.id, participant.id);
  for (const socket of [program, second]) t.match(await asker(socket)('interaction', CENTRE), { ok: true });
  t.match(await asker(agent)('interaction', CENTRE), { error: { code: 'not_in_control' } });
});

t.test('the outcome of an accepted input is told to its sender also after control has passed', async (t) => {
  const { session, path, guests, asks } = await open(t);
  const [ask, askOther] = asks;
  const tap = { ...CENTRE, requestId: 'mine' };
  const first = await guests[0].interact(tap);
  const slow = { requestId: 'slow', action: 'swipe', from: POINTS[0], to: { x: 0.5, y: 0.6 }, durationMs: 400 };
  guests[0].send({ type: 'interaction', ...slow });
  await guests[0].next('dispatched', ({ requestId }) => requestId === 'slow');
  await askOther('control.request');
  t.match(await guests[0].result('slow'), { status: 'completed' }, 'what was accepted is carried out');
  guests[0].send({ type: 'interaction', ...tap });
  t.match(await rest.interact(session, tap), { status: 200, body: { completedAt: first.completedAt } });
  t.match(await ask('interaction', CENTRE), { error: { code: 'not_in_control' } });
  t.match(await call('DELETE', `${path}/interactions/none`), { status: 200 }, 'a cancel is no input');
});

t.test('the live gesture of another is lifted when control passes, and that of its holder is not', async (t) => {
  const { guests, asks } = await open(t);
  guests[0].send({ type: 'pointer', requestId: 'finger', phase: 'begin', points: POINTS });
  await guests[0].next('dispatched', ({ requestId }) => requestId === 'finger');
  await asks[1]('control.request');
  t.match(await guests[0].result('finger'), { status: 'cancelled' });
  guests[1].send({ type: 'pointer', requestId: 'own', phase: 'begin', points: POINTS });
  await guests[1].next('dispatched', ({ requestId }) => requestId === 'own');
  await asks[1]('control.request');
  guests[1].send({ type: 'pointer', requestId: 'own', phase: 'end', points: POINTS });
  t.match(await guests[1].result('own'), { status: 'completed' });
});

t.test(
  'a viewer page where the owner is signed in acts for the account; those who watch are told and do not act',
  async (t) => {
    const { session, asks } = await open(t);
    const browser = new DashboardClient(url);
    await browser.enter(server.dataDir);
    const address = `${url.replace('http', 'ws')}/service/ios/${session.id}/control${new URL(session.url).search}`;
    const first = (query: string, headers: Record<string, string>) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const socket = new WebSocket(address + query, CONTROL_SUBPROTOCOL, { headers });
        socket.on('error', reject);
        socket.on('message', (data: Buffer) => {
          const read = decodeServerMessage(data);
          resolve(read.kind === 'message' ? read.message : {});
          socket.close();
        });
      });
    await asks[0]('control.request');
    const signedIn = { Origin: url, Cookie: browser.cookie };
    t.match(await first('', signedIn), { participant: { owner: true } });
    t.match(await first('', { Origin: url }), { participant: { owner: false } });
    const watching = await first('&role=view', signedIn);
    t.notOk('participant' in watching);
    t.match(watching, { session: { control: { holder: { label: 'Session link' } } } });
  },
);

t.test('who has control keeps it over a lost socket, and another who comes instead does not get it', async (t) => {
  const { session, guests, asks } = await open(t);
  const { participant } = answerOf(await asks[0]('control.request'));
  const value = guests[0].resumeValue;
  guests[0].terminate();
  const stranger = await guest(session);
  t.match(await asker(stranger)('interaction', CENTRE), { error: { code: 'not_in_control' } });
  const back = await ControlClient.connectWithToken(url, session, url, value);
  t.match(back.ready, { resumed: true, participant: { id: participant.id } });
  t.match(await asker(back)('interaction', CENTRE), { ok: true });
  t.match(await asks[1]('interaction', CENTRE), { error: { code: 'not_in_control' } });
});

t.test('guests may not ask too often, and the owner always may', async (t) => {
  const { path, asks } = await open(t);
  const codes: unknown[] = [];
  for (let count = 0; count < 60; count++) codes.push((await asks[0]('control.request')).error?.code);
  t.ok(codes.includes('rate_limited'));
  t.equal((await call('POST', `${path}/control`, { step: 'take' })).status, 200);
});

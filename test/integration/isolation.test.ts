import { ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { UPGRADE_HEADERS } from '../support/frames.ts';
import { startServer } from '../support/server.ts';
import { requestText, Wire, type WireAnswer } from '../support/wire.ts';

const server = await startServer();
t.teardown(() => server.close());
const mine = await server.rest.createSession('ios');
const released = await server.rest.createSession('ios');
await server.rest.releaseSession(released.id);
const stranger = server.addAccount('stranger');

/** Each way in which a session is none that this caller may act on: platform, id, and who asks. */
const NOT_ACTIVE: Readonly<Record<string, readonly [string, string, string]>> = {
  'made up': ['ios', 'ses_0123456789ABCDEFGHIJKL', server.rest.authorization],
  "another account's": ['ios', mine.id, stranger.rest.authorization],
  "released, and another account's": ['ios', released.id, stranger.rest.authorization],
  released: ['ios', released.id, server.rest.authorization],
  'of the other platform': ['android', mine.id, server.rest.authorization],
  'no id at all': ['ios', 'ses_none', server.rest.authorization],
};

const BODY = JSON.stringify({ requestId: 'the-same', action: 'tap', x: 0.5, y: 0.5 });

function request(path: string, method: string, authorization: string): string {
  const upgrade = path.endsWith('/control') ? UPGRADE_HEADERS : {};
  const headers = { Authorization: authorization, 'Content-Type': 'application/json', ...upgrade };
  return requestText(`${method} ${path}`, headers, method === 'POST' ? BODY : '');
}

/** An answer with what may differ taken out: the ids that the caller sent, and what is new each time. */
function normalised(answer: WireAnswer, platform: string, id: string): unknown {
  const body = answer.body
    .toString()
    .replaceAll(id, '<session>')
    .replaceAll(`"platform":"${platform}"`, '"platform":"<platform>"')
    .replaceAll(/req_\w{22}/g, '<request>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"durationMs":\d+/g, '"durationMs":0');
  return { status: answer.status, headers: [...answer.headers.keys()].sort(), body };
}

const ACTIVE = Object.entries<Route>(ROUTES).filter(([, { path, role }]) => {
  return path.includes('{platform}') && (role === 'activeSession' || role === 'leasedSession');
});

for (const [name, { method, path }] of ACTIVE) {
  t.test(`${name}: whichever reason a session is not active for, the answer is the same`, async (t) => {
    const answers = new Map<string, unknown>();
    const wire = await Wire.open(server.url);
    for (const [why, [platform, id, authorization]] of Object.entries(NOT_ACTIVE)) {
      const address = path
        .replace('{platform}', platform)
        .replace('{sessionId}', id)
        .replace('{requestId}', 'the-same');
      void wire.write(request(address, method, authorization));
      const answer = await wire.answer();
      if (!answer) throw new Error(`${why}: no answer`);
      t.equal(envelopeFault('active_session_not_found', answer.status, answer.body.toString()), undefined, why);
      answers.set(why, normalised(answer, platform, id));
    }
    for (const [why, answer] of answers) t.same(answer, answers.get('made up'), why);
    wire.drop();
  });
}

t.test('reading and releasing tell a foreign session from an unknown one in nothing', async (t) => {
  for (const method of ['GET', 'DELETE']) {
    const wire = await Wire.open(server.url);
    const seen: unknown[] = [];
    for (const id of ['ses_0123456789ABCDEFGHIJKL', mine.id, released.id]) {
      void wire.write(request(`/service/sessions/${id}`, method, stranger.rest.authorization));
      const answer = await wire.answer();
      if (!answer) throw new Error('no answer');
      t.equal(envelopeFault('session_not_found', answer.status, answer.body.toString()), undefined, `${method} ${id}`);
      seen.push(normalised(answer, 'ios', id));
    }
    t.same(seen[1], seen[0]);
    t.same(seen[2], seen[0]);
    wire.drop();
  }
  t.equal((await server.rest.call<{ status: string }>('GET', `/service/sessions/${mine.id}`)).body.status, 'active');
});

t.test("a list holds the caller's own sessions and nobody else's", async (t) => {
  const { body } = await stranger.rest.call<{ sessions: unknown[] }>('GET', '/service/sessions');
  t.same(body, { sessions: [] });
});

t.test('the same idempotency key and request id of two accounts have nothing to do with each other', async (t) => {
  const create = async (rest: typeof server.rest) => {
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'shared' };
    const response = await rest.fetch('/service/sessions', { method: 'POST', headers, body: '{"platform":"android"}' });
    return { status: response.status, body: (await response.json()) as { id: string } };
  };
  const ours = await create(server.rest);
  const theirs = await create(stranger.rest);
  t.same([ours.status, theirs.status], [201, 201]);
  t.not(ours.body.id, theirs.body.id);
});

t.test('neither is told apart by the time that the answer takes', async (t) => {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const ways = Object.entries(NOT_ACTIVE).filter(([why]) => why !== 'no id at all');
  const times = new Map(ways.map(([why]) => [why, [] as number[]]));
  const wire = await Wire.open(server.url);
  for (let round = 0; round < 600; round++) {
    // Each round in another order, so that no way always comes after the same one.
    for (let turn = 0; turn < ways.length; turn++) {
      const [why, [platform, id, authorization]] = ways[(turn * (1 + (round % 4)) + round) % ways.length] ?? [
        '',
        ['', '', ''],
      ];
      const startMs = performance.now();
      void wire.write(request(`/service/${platform}/${id}/interactions/the-same`, 'DELETE', authorization));
      if ((await wire.answer())?.status !== 404) t.fail(why);
      if (round >= 100) times.get(why)?.push(performance.now() - startMs);
    }
  }
  const medians = [...times].map(([why, values]) => [why, median(values)] as const);
  const [fastest, slowest] = [Math.min(...medians.map(([, ms]) => ms)), Math.max(...medians.map(([, ms]) => ms))];
  t.ok(slowest < fastest * 1.6, JSON.stringify(medians));
  wire.drop();
});

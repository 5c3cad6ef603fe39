import type {
  Acknowledgement,
  HistoryEntry,
  InteractionState,
  Observed,
  Platform,
  SessionRecord,
} from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';

/** What the service sees of the effects of inputs, over the socket and REST, on the virtual phones of both platforms. */

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
let ids = 0;

async function open(t: Test, platform: Platform) {
  const record = await rest.createSession(platform);
  const socket = await ControlClient.connect(server.url, record, rest.authorization);
  t.teardown(async () => {
    await socket.close();
    await rest.releaseSession(record.id);
  });
  const send = (request: object): string => {
    const requestId = `r-${++ids}`;
    socket.send({ type: 'interaction', requestId, observe: true, ...request });
    return requestId;
  };
  const seen = (requestId: string) => socket.next('observed', (message) => message.requestId === requestId);
  const observe = async (request: object) => {
    const requestId = send(request);
    const result = await socket.result(requestId);
    if (!result.ok) throw new Error(JSON.stringify(result));
    return seen(requestId);
  };
  return { record, socket, send, seen, observe };
}

const interactionOf = (record: SessionRecord, requestId: string) =>
  rest.call<InteractionState>('GET', `/service/${record.platform}/${record.id}/interactions/${requestId}`);
const historyOf = async ({ platform, id }: SessionRecord) =>
  (await rest.call<{ entries: HistoryEntry[] }>('GET', `/service/${platform}/${id}/history`)).body.entries;

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: what changed is told, and a dead tap is told plainly`, async (t) => {
    const { observe, socket } = await open(t, platform);
    const opened = await observe({ action: 'tapElement', target: { text: 'Settings' } });
    t.match(opened, {
      changed: true,
      area: { width: 1 },
      firstPictureMs: Number,
      settledMs: Number,
      tree: /· Settings ·/,
    });
    t.notOk('unknown' in opened);
    const dark = await observe({ action: 'tapElement', target: { text: 'Dark mode', role: 'switch' } });
    t.match(dark, { changed: true, tree: /^frame \d+ .*\n- switch "Dark mode" off\n\+ switch "Dark mode" on @\d+$/ });
    // A ref of the difference names its element.
    const [, frame, ref] = /^frame (\d+) .*\n.*\n.* (@\d+)$/.exec(dark.tree ?? '') ?? [];
    const back = await observe({ action: 'tapElement', target: { ref, frame: Number(frame) } });
    t.match(back, { changed: true, tree: /- switch "Dark mode" on\n\+ switch "Dark mode" off/ });
    const dead = await observe({ action: 'tap', x: 0.99, y: 0.5 });
    t.strictSame(Object.keys(dead).sort(), ['changed', 'requestId', 'type']);
    t.equal(dead.changed, false);
    const turned = await observe({ action: 'rotate', orientation: 'landscape_left' });
    t.match(turned, { changed: true, area: { x: 0, y: 0, width: 1, height: 1 }, tree: /landscape_left/ });
    t.match(await observe({ action: 'rotate', orientation: 'landscape_left' }), { changed: false });
    const types = socket.answers.filter((message) => 'requestId' in message && message.requestId === back.requestId);
    t.strictSame(
      types.map(({ type }) => type),
      ['accepted', 'dispatched', 'result', 'observed'],
    );
  });

  t.test(`${platform}: a screen that moves by itself makes no dead tap look alive`, async (t) => {
    const { observe } = await open(t, platform);
    t.match(await observe({ action: 'launchApp', app: 'motion' }), { changed: true, settledMs: undefined });
    for (let tap = 0; tap < 3; tap++) {
      const { changed, unknown } = await observe({ action: 'tap', x: 0.5, y: 0.2 + tap * 0.3 });
      t.strictSame({ changed, unknown }, { changed: undefined, unknown: 'moves_by_itself' });
    }
    t.match(await observe({ action: 'pressButton', button: 'home' }), { changed: true, tree: /· Home ·/ });
  });

  t.test(`${platform}: what goes away by itself is no effect of what comes meanwhile`, async (t) => {
    const { observe } = await open(t, platform);
    const unknown: Observed['unknown'][] = [];
    for (let round = 0; round < 5 && !unknown.includes('moves_by_itself'); round++) {
      t.match(await observe({ action: 'pressButton', button: 'volumeUp' }), { changed: true, tree: /"Volume"/ });
      // It goes a second and a half after it came.
      await new Promise((resolve) => setTimeout(resolve, 1_000 + round * 50));
      const seen = await observe({ action: 'tap', x: 0.5, y: 0.72 });
      t.not(seen.changed, true);
      unknown.push(seen.unknown);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    t.ok(unknown.includes('moves_by_itself'), 'the bar went while one was observed');
    t.match(await observe({ action: 'tap', x: 0.5, y: 0.72 }), { changed: false });
  });
}

t.test('only who asks is told, also of final acknowledgements alone', async (t) => {
  const { socket, send, seen } = await open(t, 'ios');
  const quiet = send({ action: 'tap', x: 0.5, y: 0.72, observe: false });
  await socket.result(quiet);
  const final = send({ action: 'tap', x: 0.5, y: 0.72, acks: 'final' });
  await seen(final);
  const told = socket.answers.filter((message) => 'requestId' in message && message.requestId === final);
  t.strictSame(
    told.map(({ type }) => type),
    ['result', 'observed'],
  );
  t.notOk(socket.messages.some((message) => message.type === 'observed' && message.requestId === quiet));
  const failed = send({ action: 'tapElement', target: { text: 'nobody has this' }, waitMs: 0 });
  t.match(await socket.result(failed), { status: 'failed', error: { code: 'target_not_found' } });
  const refused = send({ action: 'listApps' });
  t.match(await socket.result(refused), { error: { code: 'invalid_interaction', message: /"observe"/ } });
  // Whatever comes about them would have come before this.
  await seen(send({ action: 'tap', x: 0.5, y: 0.72 }));
  const others = socket.messages
    .filter(({ type }) => type === 'observed')
    .map((message) => 'requestId' in message && message.requestId);
  t.notOk(others.includes(failed) || others.includes(refused));
});

t.test('the next input ends an observation, and is not held up by it', async (t) => {
  const { socket, send, seen } = await open(t, 'android');
  const dead = send({ action: 'tap', x: 0.5, y: 0.72 });
  await socket.result(dead);
  const next = send({ action: 'tap', x: 0.5, y: 0.72, observe: false });
  await socket.result(next);
  t.match(await seen(dead), { unknown: 'next_input' });
  const opens = send({ action: 'launchApp', app: 'motion' });
  await socket.result(opens);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await socket.result(send({ action: 'pressButton', button: 'home', observe: false }));
  t.match(await seen(opens), { changed: true, settledMs: undefined }, 'what was seen by then counts');
});

t.test('a repeated request gets the same observation, over the socket and REST', async (t) => {
  const { record, send, seen } = await open(t, 'ios');
  const requestId = send({ action: 'launchApp', app: 'settings' });
  const body = { action: 'launchApp', app: 'settings', requestId, observe: true };
  const [first, joined] = await Promise.all([seen(requestId), rest.interact(record, body)]);
  const { type: _type, requestId: _id, ...observed } = first;
  t.equal(observed.changed, true);
  t.strictSame(joined.body.observed, observed);
  t.strictSame((await rest.interact(record, body)).body.observed, observed);
  const again = await ControlClient.connect(server.url, record, rest.authorization);
  again.send({ type: 'interaction', ...body });
  t.strictSame(await again.next('observed'), first);
  const { observe: _observe, ...without } = body;
  t.equal((await rest.interact(record, without)).body.error?.code, 'duplicate_request');
  // The same of a tap, whose outcome is kept in another way.
  const tap = { action: 'tap', x: 0.99, y: 0.5, requestId: 'twice', observe: true };
  t.match((await rest.interact(record, tap)).body, { ok: true, observed: { changed: false } });
  t.match((await rest.interact(record, tap)).body, { ok: true, observed: { changed: false } });
  t.equal((await rest.interact(record, { ...tap, observe: false })).body.error?.code, 'duplicate_request');
  await again.close();
});

t.test('a cancel ends it, before the dispatch and after the end of the request', async (t) => {
  const { record, socket, send, seen } = await open(t, 'android');
  const late = send({ action: 'tap', x: 0.5, y: 0.72 });
  await socket.result(late);
  socket.send({ type: 'cancel', requestId: late });
  t.match(await seen(late), { unknown: 'cancelled' });
  t.match((await interactionOf(record, late)).body, { status: 'completed', observed: { unknown: 'cancelled' } });
  const early = send({ action: 'launchApp', app: 'motion' });
  await socket.next('dispatched', (message) => message.requestId === early);
  socket.send({ type: 'cancel', requestId: early });
  t.match(await socket.result(early), { status: 'cancelled' });
  t.equal((await server.inspect('android', record.id)).foreground, 'home', 'nothing reached the device');
  const brief = send({ action: 'tapElement', target: { text: 'nobody has this' }, timeoutMs: 200, waitMs: 200 });
  t.match(await socket.result(brief), { ok: false });
});

t.test('the end of the session ends it, and is told first', async (t) => {
  const { record, socket, send, seen } = await open(t, 'ios');
  const last = send({ action: 'tap', x: 0.99, y: 0.5 });
  await socket.result(last);
  await rest.releaseSession(record.id);
  t.match(await seen(last), { unknown: 'session_ended' });
  t.equal((await socket.closed).code, 4404);
  const other = await rest.createSession('android');
  const answer = rest.interact(other, { action: 'tap', x: 0.5, y: 0.72, requestId: 'last', observe: true });
  const isDone = async () => (await interactionOf(other, 'last')).body.status === 'completed';
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 10));
  await rest.releaseSession(other.id);
  t.match((await answer).body, { ok: true, observed: { unknown: 'session_ended' } });
});

t.test('it goes on without its socket, and is told on the next one', async (t) => {
  const { record, socket, send } = await open(t, 'android');
  const requestId = send({ action: 'launchApp', app: 'settings' });
  await socket.result(requestId);
  const value = socket.resumeValue;
  socket.terminate();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const next = await ControlClient.connect(server.url, record, rest.authorization, value);
  t.equal(next.ready.resumed, true);
  t.match(await next.next('observed'), { requestId, changed: true });
  await next.close();
});

t.test('REST waits for it, and the history keeps it without what the screen says', async (t) => {
  const record = await rest.createSession('ios');
  const act = async (request: object): Promise<Acknowledgement> =>
    (await rest.interact(record, { observe: true, ...request })).body;
  const typed = await act({ action: 'tapElement', target: { text: 'Notes' } });
  t.match(typed, { ok: true, status: 'completed', observed: { changed: true, tree: /textfield/ } });
  const secret = await act({ action: 'typeText', text: 'hunter2', requestId: 'typed' });
  t.match(secret.observed, { changed: true, tree: /hunter2/ });
  t.match(await act({ action: 'tapElement', target: { text: 'nobody has this' }, waitMs: 0 }), {
    ok: false,
    observed: undefined,
  });
  t.match((await act({ action: 'tap', x: 0.99, y: 0.5, observe: false })).observed, undefined);
  const entries = await historyOf(record);
  t.match(entries[0], {
    fields: { target: { text: 'Notes' } },
    observed: { changed: true, area: Object, firstPictureMs: Number },
  });
  t.match(entries[1], { fields: { textCharacters: 7 }, observed: { changed: true } });
  t.notMatch(JSON.stringify(entries), /hunter2/);
  t.notMatch(JSON.stringify(entries.map(({ fields }) => fields)), /observe/);
  t.notOk(entries.slice(2).some(({ observed }) => observed));
  await rest.releaseSession(record.id);
  t.match((await interactionOf(record, 'typed')).body, {
    status: 'completed',
    observed: { changed: true, tree: undefined },
  });
});

import type { Acknowledgement, CreatedViewerLink, Platform, SessionRecord, UiAnswer } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Waits and checks on the virtual phones of both platforms. */

const server = await startServer();
t.teardown(() => server.close());
const { rest, url } = server;

async function open(t: Test, platform: Platform) {
  const record = await rest.createSession(platform);
  t.teardown(() => rest.call('DELETE', `/service/sessions/${record.id}`));
  const base = `/service/${platform}/${record.id}/ui`;
  const post = async (path: string, body: object) => {
    const answer = await rest.call<UiAnswer & Acknowledgement>('POST', `${base}/${path}`, body);
    return { http: answer.status, ...answer.body };
  };
  return {
    record,
    base,
    check: (body: object) => post('check', body),
    wait: (body: object) => post('wait', body),
    tap: async (text: string) =>
      (await rest.interact(record, { action: 'tapElement', target: { text } })).body as Acknowledgement,
    perform: (request: Record<string, unknown>) => rest.interact(record, request),
  };
}

const connect = (record: SessionRecord) => ControlClient.connect(url, record, rest.authorization);
const waitFor = (requestId: string, fields: object) => ({ type: 'ui.wait', requestId, ...fields });
const NEVER = { target: { text: 'Never there' } };

/** Answers of a wait that must not come. */
const isAnswered = (socket: ControlClient, requestId: string): boolean =>
  socket.messages.some((message) => message.type === 'result' && message.requestId === requestId);

for (const platform of ['ios', 'android'] as const) {
  t.test(`${platform}: a wait is met before, while and after it is asked for`, async (t) => {
    const { record, wait, tap } = await open(t, platform);
    t.match(await wait({ target: { text: 'Notes' } }), {
      http: 200,
      holds: true,
      element: { name: 'Notes', ref: /^@/, actions: ['tap'] },
    });
    const socket = await connect(record);
    socket.send(waitFor('opens', { target: { role: 'textfield' } }));
    // The input that brings it comes over the same socket.
    const target = { text: 'Notes' };
    socket.send({ type: 'interaction', requestId: 'tap', action: 'tapElement', target, acks: 'final' });
    t.match(await socket.result('opens'), {
      ok: true,
      action: 'ui.wait',
      result: { holds: true, element: { role: 'textfield' } },
    });
    const { frame, element } = (await socket.result('opens')).result as unknown as UiAnswer;
    const typed = { action: 'typeText', text: 'Milk', target: { ref: element?.ref, frame } };
    t.match(
      await socket.interact({ requestId: 'type', ...typed }),
      { ok: true },
      'the ref is of the frame that was told',
    );
    socket.send(waitFor('filled', { target: { role: 'textfield' }, value: 'Milk and bread' }));
    socket.send(waitFor('gone', { target: { role: 'textfield' }, not: true }));
    await socket.interact({ requestId: 'more', action: 'typeText', text: ' and bread' });
    t.match(await socket.result('filled'), { ok: true });
    t.notOk(isAnswered(socket, 'gone'));
    await socket.interact({ requestId: 'home', action: 'pressButton', button: 'home' });
    t.match(await socket.result('gone'), { ok: true, result: { holds: true, count: 0 } });
    t.ok((await tap('Settings')).ok);
    await socket.close();
  });

  t.test(`${platform}: a check tells at once whether something is so, and what there is instead`, async (t) => {
    const { record, check, tap } = await open(t, platform);
    t.match(await check({ target: { text: 'Notes' } }), { http: 200, holds: true, count: 1 });
    t.match(await check(NEVER), {
      http: 200,
      holds: false,
      count: 0,
      found: /^No element "Never there" in frame \d+\.$/,
    });
    await tap('Settings');
    const dark = { target: { role: 'switch', text: 'Dark mode' }, is: 'checked' };
    t.match(await check({ ...dark, not: true }), { holds: true });
    const socket = await connect(record);
    socket.send({ type: 'interaction', requestId: 'tap', action: 'tapElement', target: dark.target });
    socket.send({ type: 'ui.check', requestId: 'dark', ...dark });
    t.match(await socket.result('dark'), { ok: true, action: 'ui.check', result: { holds: true } }, 'after the tap');
    t.match(await check({ target: { text: 'No such' }, count: 0 }), { holds: true });
    await socket.close();
  });

  t.test(
    `${platform}: idle is settled on a screen that stands, and unsettled on one that goes on moving`,
    async (t) => {
      const { wait, tap } = await open(t, platform);
      t.strictSame(await wait({ idle: true }), { http: 200, holds: true, idle: 'settled' });
      await tap('Motion');
      t.strictSame(await wait({ idle: true }), { http: 200, holds: false, idle: 'unsettled' });
      t.match(
        await wait({ target: { text: 'Moving balls' } }),
        { holds: true },
        'its elements can be waited for all the same',
      );
    },
  );
}

t.test('a wait that is not met says at its timeout what is there instead', async (t) => {
  const { record, wait } = await open(t, 'ios');
  t.match(await wait({ target: { text: 'Notse' }, timeoutMs: 300 }), {
    status: 'timed_out',
    action: 'ui.wait',
    error: {
      code: 'wait_timeout',
      retryable: true,
      message: /^No element "Notse" in frame \d+\. Similar: .*"Notes" @\d+/,
    },
  });
  t.match(await wait({ target: { text: 'Notes' }, not: true, timeoutMs: 200 }), {
    error: { message: /^The button "Notes" @\d+ is in frame \d+\.$/ },
  });
  const { body } = await rest.call('GET', `/service/ios/${record.id}/history`);
  t.notMatch(JSON.stringify(body), /ui\.wait/, 'the history does not tell of it');
});

t.test('a wait is cancelled on its socket, before and after it has begun', async (t) => {
  const { record } = await open(t, 'ios');
  const socket = await connect(record);
  socket.send(waitFor('running', NEVER));
  socket.send({ type: 'ui', requestId: 'look' });
  await socket.result('look');
  socket.send({ type: 'cancel', requestId: 'running' });
  t.match(await socket.result('running'), { status: 'cancelled', error: { code: 'interaction_cancelled' } });
  socket.send({ type: 'cancel', requestId: 'early' });
  socket.send(waitFor('early', NEVER));
  t.match(await socket.result('early'), { status: 'cancelled' });
  await socket.close();
});

t.test('a wait ends with its session', async (t) => {
  const { record } = await open(t, 'ios');
  const socket = await connect(record);
  socket.send(waitFor('w', { ...NEVER, timeoutMs: 60_000 }));
  socket.send({ type: 'ui', requestId: 'look' });
  await socket.result('look');
  await rest.call('DELETE', `/service/sessions/${record.id}`);
  t.match(await socket.result('w'), { ok: false, error: { code: 'active_session_not_found' } });
});

t.test('a session has so many waits, and its input goes on meanwhile', async (t) => {
  const { record, tap } = await open(t, 'ios');
  const socket = await connect(record);
  for (let count = 0; count < LIMITS.uiWaits; count++) {
    // What is on the screen is read so many times a second at most.
    if (count % LIMITS.uiReadsPerSecond === LIMITS.uiReadsPerSecond - 1)
      await new Promise((done) => setTimeout(done, 1_100));
    socket.send(waitFor(`w${count}`, { ...NEVER, timeoutMs: 60_000 }));
  }
  socket.send(waitFor('more', NEVER));
  t.match(await socket.result('more'), {
    ok: false,
    error: { code: 'rate_limited', message: `The session has the maximum number of waits, ${LIMITS.uiWaits}.` },
  });
  t.match(await tap('Notes'), { ok: true });
  t.notOk(isAnswered(socket, 'w0'));
  socket.send({ type: 'cancel', requestId: 'w0' });
  await socket.result('w0');
  socket.send(waitFor('again', { target: { role: 'textfield' } }));
  t.match(await socket.result('again'), { ok: true }, 'one that has ended makes room');
  await socket.close();
});

t.test('a connection that is cut frees the wait of its call', async (t) => {
  const { record, base } = await open(t, 'ios');
  const headers = { Authorization: rest.authorization, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...NEVER, timeoutMs: 60_000 });
  const controller = new AbortController();
  const { signal } = controller;
  // A look for room may take a place from a call for a moment.
  const call = async (): Promise<void> => {
    while (!signal.aborted) {
      const answer = await fetch(`${url}${base}/wait`, { method: 'POST', headers, body, signal }).catch(
        () => undefined,
      );
      await answer?.body?.cancel();
    }
  };
  const calls = Promise.all(Array.from({ length: LIMITS.uiWaits }, call));
  const socket = await connect(record);
  let ids = 0;
  /** Whether there is room for one more, which is cancelled then. */
  const hasRoom = async (): Promise<boolean> => {
    const requestId = `one-${++ids}`;
    socket.send(waitFor(requestId, NEVER));
    socket.send({ type: 'cancel', requestId });
    const { status, error } = await socket.result(requestId);
    if (status !== 'cancelled') t.match(error, { message: /maximum number of waits/ });
    return status === 'cancelled';
  };
  await until(async () => !(await hasRoom()), 'the calls have all places');
  controller.abort();
  await calls;
  await until(hasRoom, 'they have left');
  t.pass('there is room again');
  await socket.close();
});

t.test('one who only views waits and checks, and a client that leaves frees its waits', async (t) => {
  const { record, tap } = await open(t, 'ios');
  const made = await rest.call<CreatedViewerLink>('POST', `/service/sessions/${record.id}/viewer-links`, {
    role: 'view',
  });
  const view = () => ControlClient.connectWithToken(url, { ...record, url: made.body.url }, url);
  const viewer = await view();
  viewer.send({ type: 'ui.check', requestId: 'c', target: { text: 'Notes' } });
  t.match(await viewer.result('c'), { ok: true, result: { holds: true } });
  viewer.send(waitFor('w', { target: { role: 'textfield' } }));
  await tap('Notes');
  t.match(await viewer.result('w'), { ok: true });
  for (let count = 0; count < LIMITS.uiWaitsPerLink; count++)
    viewer.send(waitFor(`w${count}`, { ...NEVER, timeoutMs: 60_000 }));
  viewer.send(waitFor('more', NEVER));
  t.match(await viewer.result('more'), { error: { code: 'rate_limited', message: /^This link has 8 waits/ } });
  await viewer.close();
  const other = await view();
  let ids = 0;
  await until(async () => {
    const requestId = `again-${++ids}`;
    other.send(waitFor(requestId, { target: { role: 'textfield' } }));
    return (await other.result(requestId)).ok;
  }, 'the places of the client that has left');
  await other.close();
});

t.test('what cannot be waited for is refused with the field and the reason', async (t) => {
  const { record, wait, check } = await open(t, 'ios');
  const refused = async (body: object, message: string) =>
    t.match(await wait(body), { status: 'failed', error: { code: 'invalid_request', message } }, message);
  await refused({}, '"target" is required, or idle.');
  await refused({ target: {} }, '"target" must have "ref" and "frame", or one of "text", "id" and "role".');
  await refused(
    { target: { ref: '@1', frame: 1 } },
    '"target.ref" belongs to one frame; name the element by a selector.',
  );
  await refused({ ...NEVER, text: 'a', is: 'enabled' }, '"text" must be alone: one of is, text, value, count.');
  await refused({ target: { role: 'cell', index: 1 }, count: 1 }, '"target.index" is not for a count.');
  await refused({ idle: true, timeoutMs: 500 }, '"timeoutMs" is not for idle, which takes 2 seconds at most.');
  await refused({ idle: true, ...NEVER }, '"target" is not for idle.');
  t.match(await check({ ...NEVER, idle: true }), {
    error: { code: 'invalid_request', message: /^"idle" is not a known field/ },
  });
  const socket = await connect(record);
  socket.send(waitFor('w', { ...NEVER, text: 'a', value: 'b' }));
  t.match(await socket.result('w'), {
    error: { code: 'invalid_request', message: '"value" must be alone: one of is, text, value, count.' },
  });
  await socket.close();
});

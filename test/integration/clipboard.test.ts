import type { Acknowledgement, ClipboardText, ServerMessage, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const session = await rest.createSession('ios');
const addressOf = ({ platform, id }: SessionRecord) => `/service/${platform}/${id}/clipboard`;
const address = addressOf(session);
const read = () => rest.call<ClipboardText>('GET', address);
const write = (text: unknown) => rest.call<ClipboardText & Acknowledgement>('PUT', address, { text });
const connect = (to = session) => ControlClient.connect(server.url, to, rest.authorization);
const isEvent = (message: ServerMessage) => message.type === 'event' && message.event === 'clipboard';

t.test('what is written over one is read over the other, and nobody keeps the answer', async (t) => {
  const written = await write('Grüße 😀');
  t.match(written, { status: 200, body: { text: 'Grüße 😀' } });
  t.equal(written.headers.get('Cache-Control'), 'no-store');
  t.same(Object.keys(written.body), ['text']);
  const socket = await connect();
  t.match(socket.messages[0], { type: 'ready', capabilities: { clipboard: true } });
  socket.send({ type: 'clipboard.get', requestId: 'g' });
  const { result, action, ok } = await socket.result('g');
  t.same({ result, action, ok }, { result: { text: 'Grüße 😀' }, action: 'clipboard.get', ok: true });
  socket.send({ type: 'clipboard.set', requestId: 's', text: 'over the socket' });
  t.match(await socket.result('s'), { action: 'clipboard.set', result: { text: 'over the socket' } });
  t.same((await read()).body, { text: 'over the socket' });
  const stages = socket.answers.map(({ type }) => type);
  t.same(stages, ['ready', 'result', 'result'], 'each has a result alone');
  await socket.close();
});

t.test('keys and the clipboard keep the order in which they were sent, without a wait between them', async (t) => {
  const socket = await connect();
  await rest.interact(session, { action: 'tap', x: 0.39, y: 0.92 });
  await rest.interact(session, { action: 'reload' });
  t.equal((await server.inspect('ios', session.id)).foreground, 'notes');
  const press = (requestId: string, key: string) =>
    socket.send({ type: 'interaction', requestId, action: 'pressKey', key, modifiers: ['meta'], durationMs: 20 });
  socket.send({ type: 'clipboard.set', requestId: '1', text: 'pasted' });
  press('2', 'v');
  press('3', 'v');
  socket.send({ type: 'clipboard.set', requestId: '4', text: '' });
  press('5', 'a');
  press('6', 'x');
  socket.send({ type: 'clipboard.get', requestId: '7' });
  t.match(await socket.result('7'), { result: { text: 'pastedpasted' } });
  t.same(
    socket.answers.flatMap((message) => (message.type === 'result' ? [message.requestId] : [])),
    ['1', '2', '3', '4', '5', '6', '7'],
  );
  await socket.close();
});

t.test('a longer text that the device holds is marked as cut', async (t) => {
  const text = 'a page of notes. '.repeat(588);
  await rest.interact(session, { action: 'reload' });
  await rest.interact(session, { action: 'insertText', text });
  await rest.interact(session, { action: 'insertText', text: 'and more' });
  for (const key of ['a', 'c']) await rest.interact(session, { action: 'pressKey', key, modifiers: ['meta'] });
  const { body } = await read();
  t.equal(body.text, `${text}and more`.slice(0, 10_000));
  t.equal(body.truncated, true);
});

t.test('what is no text of its length is refused, and the clipboard keeps what it holds', async (t) => {
  await write('kept');
  const bodies: readonly (readonly [string, RegExp])[] = [
    ['{}', /"text" is required/],
    ['{"text":1}', /"text" must be/],
    ['{"text":null}', /"text" must be/],
    ['{"text":["a"]}', /"text" must be/],
    ['{"text":"a","html":"b"}', /"html"/],
    ['{"text":"\\ud800"}', /without lone surrogates/],
    ['{"text":"a\\udc00\\ud800"}', /without lone surrogates/],
    [JSON.stringify({ text: 'a'.repeat(10_001) }), /0 to 10000/],
    [JSON.stringify({ text: 'a'.repeat(30_000) }), /0 to 10000/],
    ['[]', /must be/],
    ['text', /not JSON/],
    ['', /empty/],
  ];
  for (const [body, sentence] of bodies) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await rest.fetch(address, { method: 'PUT', headers, body });
    const text = await response.text();
    t.equal(envelopeFault('invalid_request', response.status, text), undefined, body.slice(0, 40));
    t.match(sentenceOf(text), sentence);
    t.match(JSON.parse(text), { action: 'clipboard.set', sessionId: session.id, platform: 'ios' });
  }
  const plain = await rest.fetch(address, { method: 'PUT', headers: { 'Content-Type': 'text/plain' }, body: 'text' });
  t.equal(plain.status, 415);
  const socket = await connect();
  for (const [index, fields] of [{}, { text: 1 }, { text: 'a'.repeat(10_001) }, { text: '', extra: 1 }].entries()) {
    socket.send({ type: 'clipboard.set', requestId: `bad-${index}`, ...fields });
    t.match(await socket.result(`bad-${index}`), { action: 'clipboard.set', error: { code: 'invalid_request' } });
  }
  await socket.close();
  t.same((await read()).body, { text: 'kept' });
});

t.test('bytes that are no UTF-8 end the socket, and nothing of them gets into the clipboard', async (t) => {
  await write('kept');
  for (const hex of ['a3eda080', 'a2c3c3', 'a1ff', 'a2c080']) {
    const socket = await connect();
    const head = '83a474797065ad636c6970626f6172642e736574a9726571756573744964a3622d32a474657874';
    socket.sendBytes(Buffer.from(head + hex, 'hex'));
    t.equal((await socket.closed).code, 1007, hex);
  }
  t.same((await read()).body, { text: 'kept' });
});

t.test('the address takes these two methods alone', async (t) => {
  for (const method of ['POST', 'DELETE', 'PATCH']) {
    const { status, headers } = await rest.call(method, address);
    t.same([status, headers.get('Allow')], [405, 'GET, HEAD, PUT']);
  }
  t.equal((await rest.fetch(address, { method: 'HEAD' })).status, 200);
});

t.test('all sockets are told that it changed, by whatever, and none is told the text', async (t) => {
  await write('before');
  const { body } = await rest.call<{ url: string }>('POST', `/service/sessions/${session.id}/viewer-links`, {
    role: 'view',
  });
  const viewer = await ControlClient.connectWithToken(server.url, { ...session, url: body.url }, server.url);
  const socket = await connect();
  const told = { type: 'event', event: 'clipboard' };
  await write('secret');
  for (const client of [viewer, socket]) t.strictSame(await client.next('event', isEvent), told);
  await rest.interact(session, { action: 'reload' });
  await rest.interact(session, { action: 'typeText', text: 'typed' });
  const { length } = socket.messages.filter(isEvent);
  for (const key of ['a', 'c']) await rest.interact(session, { action: 'pressKey', key, modifiers: ['meta'] });
  await socket.next('event', (message) => isEvent(message) && socket.messages.filter(isEvent).length > length);
  t.same((await read()).body, { text: 'typed' });

  viewer.send({ type: 'clipboard.get', requestId: 'peek' });
  viewer.send({ type: 'clipboard.set', requestId: 'poke', text: 'of a viewer' });
  for (const requestId of ['peek', 'poke']) {
    const { ok, result, error } = await viewer.result(requestId);
    t.match({ ok, error }, { ok: false, error: { code: 'control_role_required' } });
    t.equal(result, undefined);
  }
  t.notMatch(JSON.stringify(viewer.messages), /secret|typed/);
  t.same((await read()).body, { text: 'typed' });
  await viewer.close();
  await socket.close();
});

t.test('the same text again changes nothing and is not told', async (t) => {
  await write('same');
  const socket = await connect();
  await write('same');
  await write('other');
  await socket.next('event', isEvent);
  await rest.interact(session, { action: 'pressKey', key: 'a', durationMs: 200 });
  t.equal(socket.messages.filter(isEvent).length, 1);
  await socket.close();
});

t.test('each session has a clipboard of its own, which ends with it', async (t) => {
  await write('of the first');
  const other = await rest.createSession('ios');
  t.same((await rest.call('GET', addressOf(other))).body, { text: '' });
  await rest.releaseSession(other.id);
  for (const [method, body] of [['GET'], ['PUT', { text: 'late' }]] as const) {
    for (const path of [
      addressOf(other),
      `/service/ios/ses_unknown/clipboard`,
      address.replace('/ios/', '/android/'),
    ]) {
      const gone = await rest.call(method, path, body);
      t.match(gone, { status: 404, body: { ok: false, error: { code: 'active_session_not_found' } } });
    }
  }
  t.same((await read()).body, { text: 'of the first' });
});

t.test('it is counted among the interactions', async (t) => {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  for (const action of ['clipboard.get', 'clipboard.set']) {
    t.match(
      text,
      new RegExp(`runcloud_interactions_total\\{platform="ios",action="${action}",status="completed"\\} \\d+`),
    );
  }
});

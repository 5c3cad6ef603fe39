import { readFileSync } from 'node:fs';
import type { AssetRecord, CreatedViewerLink, HistoryPage, Platform } from '@runcloud/protocol';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { type Agent, agentOver, wordsOf } from '../support/agent-client.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;

const frameIn = (words: string): number => Number(/^frame (\d+)/m.exec(words)?.[1]);
const sessionIn = (words: string): string => /^session (ses_[\w-]+)/.exec(words)?.[1] ?? '';
const tokenOf = (address: string): string => new URL(address).searchParams.get('token') ?? '';

async function inNotes(t: Test, agent: Agent, platform: Platform): Promise<string> {
  const session = sessionIn(await agent.says('start', { platform }));
  t.teardown(() => rest.releaseSession(session));
  await agent.says('act', { session, steps: [{ do: 'tap', text: 'Notes' }] });
  return session;
}

for (const platform of ['ios', 'android'] as const) {
  for (const mode of ['auto', 'legacy'] as const) {
    t.test(`a job of ten steps in Notes, on ${platform}, as ${mode} clients call`, async (t) => {
      const agent = await agentOver(t, server.url, TEST_KEY, mode);
      const session = sessionIn(await agent.says('start', { platform }));
      const home = await agent.says('look', { session });
      const ref = /"Notes" (@\d+)/.exec(home)?.[1];
      const opened = await agent.says('act', { session, frame: frameIn(home), steps: [{ do: 'tap', ref }] });
      t.match(opened, /^done 1 of 1\nframe \d+ · Notes · /);
      const field = /textfield .*(@\d+)/.exec(opened)?.[1];
      const steps = [
        { do: 'type', ref: field, value: 'Milk' },
        { do: 'key', value: 'enter' },
        { do: 'type', ref: field, value: 'Bread?' },
        { do: 'key', value: 'backspace' },
        { do: 'key', value: 'enter' },
        { do: 'type', role: 'textfield', value: '你好' },
        { do: 'press', value: 'home' },
        { do: 'tap', text: 'Notes' },
        { do: 'tap', x: 0.5, y: 0.3 },
        { do: 'type', value: '!' },
      ];
      const done = await agent.says('act', { session, frame: frameIn(opened), steps });
      t.match(done, /^done 10 of 10\nframe \d+/);
      t.match(done, '= "Milk\\nBread\\n你好!"', 'a line feed in a text does not begin a line of the outline');
      t.match(await agent.says('look', { session, since: frameIn(done) }), /^frame \d+ unchanged$/);
      t.match(await agent.says('find', { text: 'Bread', session }), /\d found\ntextfield .* at 0\.\d+,0\.\d+$/m);
      t.match(await agent.says('history', { session, last: 3 }), /tap completed .*"x":0\.5.*\n.*typeText completed/);
      t.match(
        await agent.says('logs', { session, last: 3, level: 'info' }),
        /^(?:\S+ (?:info|warning) \S+ ".*"\n?){1,3}$/,
      );
      t.equal(await agent.says('logs', { session, level: 'fatal' }), 'nothing yet');
      t.match(await agent.says('devices'), session);
      t.match(await agent.says('end', { session }), `session ${session} · released`);
      t.match(wordsOf(await agent.call('look', { session })), /^active_session_not_found: .* Use start\.$/);
    });
  }
}

t.test('the device is set, and control is asked for, taken and released', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'ios');
  const set = {
    session,
    appearance: 'dark',
    locale: 'de-DE',
    textScale: 1.35,
    network: 'offline',
    downlinkKbps: 400,
    latitude: 52.5,
    longitude: 13.25,
    requestId: 'set-1',
  };
  const inForce =
    'location 52.5, 13.25\nappearance dark\nlocale de-DE\ntextScale 1.35\nanimations true\nnetwork offline\ndownlinkKbps 400\nuplinkKbps 0\nnetworkDelayMs 0\nnetworkLossPercent 0';
  t.equal(await agent.says('device', set), inForce);
  t.equal(await agent.says('device', set), inForce, 'asked again, it is answered again');
  t.match(await agent.says('device', { session }), /^appearance dark\n/, 'without a change it only tells');
  t.match(wordsOf(await agent.call('device', { session, latitude: 1 })), /^invalid_request: .*given together/);
  const route = [
    [52, 13],
    [52.001, 13],
  ];
  t.match(await agent.says('device', { session, route, speedMPerS: 1 }), /^route moving, 111\.2 m\nappearance dark\n/);
  t.match(wordsOf(await agent.call('device', { session, route })), /^invalid_request: .*given together/);
  t.match(wordsOf(await agent.call('device', { session, route: [[52, 13]], speedMPerS: 1 })), /points/);
  t.match(wordsOf(await agent.call('device', { session, biometric: 'match' })), /Nothing in front asks for a face/);
  const toTheRow = [
    { do: 'press', value: 'home' },
    { do: 'tap', text: 'Settings' },
    { do: 'scroll', id: 'settings.biometric' },
    { do: 'tap', id: 'settings.biometric' },
  ];
  t.match(await agent.says('act', { session, steps: toTheRow }), /^done 4 of 4\n/);
  t.match(await agent.says('device', { session, biometric: 'match' }), /^biometric match\nappearance dark\n/);
  t.match(await agent.says('control', { session, do: 'read' }), /^everybody may send input$/);
  t.match(await agent.says('control', { session, do: 'take' }), /^you \S+\n\S+ ".*" has control$/);
  t.match(await agent.says('control', { session, do: 'release' }), /\neverybody may send input$/);
});

t.test('an installed app gets permissions and push notifications', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await rest.createSession('ios');
  const body = new Uint8Array(readFileSync('server/sample/sample.ipa'));
  const { id: asset } = (await (await rest.fetch('/service/assets', { method: 'POST', body })).json()) as AssetRecord;
  await rest.interact(session, { action: 'installApp', asset });
  const app = { session: session.id, app: 'com.example.sample' };
  const payload = { aps: { alert: { title: 'Order 7', body: 'It is on its way' } } };
  t.equal(await agent.says('app', { ...app, do: 'push', payload }), 'com.example.sample shown');
  t.match(await agent.says('look', { session: session.id }), /Order 7/);
  const denied = { do: 'permit', permission: 'notifications', access: 'revoke' };
  t.equal(await agent.says('app', { ...app, ...denied }), 'com.example.sample notifications denied');
  t.equal(await agent.says('app', { ...app, do: 'push', payload }), 'com.example.sample delivered, not shown');
  const failed = async (given: Record<string, unknown>) => wordsOf(await agent.call('app', { ...app, ...given }));
  t.match(await failed({ do: 'push' }), /^invalid_request: "payload" is required to push one/);
  t.match(await failed({ do: 'permit', access: 'grant' }), /^invalid_request: "permission" is required/);
  t.match(await failed({ do: 'permit', permission: 'camera' }), /^invalid_request: "access" is required/);
  t.match(await failed({ do: 'launch', app: undefined }), /^invalid_request: "app" is required to act on one/);
});

t.test('a batch stops at its first failure, and says what was not dispatched', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'ios');
  const steps = [
    { do: 'type', value: 'a' },
    { do: 'tap', id: 'none' },
    { do: 'type', value: 'b' },
    { do: 'type', value: 'c' },
  ];
  const failed = await agent.call('act', { session, steps });
  t.equal(failed.isError, true);
  t.match(
    wordsOf(failed),
    /^step 2 of 4 failed \(tap\)\ntarget_not_found: .* Use look.*\nnot dispatched: steps 3 to 4\nframe \d+/,
  );
  t.match(wordsOf(failed), '= "a"');

  const looked = await agent.says('look', { session });
  const lacking = await agent.call('act', { session, steps: [{ do: 'type', value: 'd' }, { do: 'tap' }] });
  t.match(wordsOf(lacking), /^invalid_request: "tap" needs /);
  t.match(await agent.says('look', { session, since: frameIn(looked) }), 'unchanged', 'nothing of it was dispatched');
  for (const wrong of [
    { do: 'fly' },
    { do: 'tap', x: 2, y: 0 },
    { do: 'press', value: 'no such' },
    { do: 'tap', ref: '@1' },
  ]) {
    const refused = await agent.call('act', { session, steps: [wrong] });
    t.match([refused.isError, wordsOf(refused)], [true, /^invalid_request: /], JSON.stringify(wrong));
  }
});

t.test('a ref is of one frame', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'android');
  const frame = frameIn(await agent.says('look', { session }));
  const act = async (steps: readonly object[]) => wordsOf(await agent.call('act', { session, frame, steps }));
  t.match(await act([{ do: 'tap', ref: '@4999' }]), /ref_not_issued: .* Use look/);
  await agent.says('act', { session, steps: [{ do: 'type', value: 'x' }] });
  t.match(await act([{ do: 'tap', ref: '@1' }]), /^step 1 of 1 failed \(tap\)\nref_of_other_frame: .* Use look/);
  const next = frameIn(await agent.says('look', { session }));
  const gone = {
    session,
    frame: next,
    steps: [
      { do: 'press', value: 'home' },
      { do: 'tap', ref: '@1' },
    ],
  };
  t.match(wordsOf(await agent.call('act', gone)), /^step 2 of 2 failed \(tap\)\nref_expired: /);
});

t.test('a call with a repeated request id has one effect', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const given = { platform: 'ios', requestId: 'once-started' };
  const session = sessionIn(await agent.says('start', given));
  t.teardown(() => rest.releaseSession(session));
  t.equal(sessionIn(await agent.says('start', given)), session);
  const home = await agent.says('look', { session });
  const ref = /"Notes" (@\d+)/.exec(home)?.[1];
  const once = {
    session,
    frame: frameIn(home),
    requestId: 'once',
    steps: [
      { do: 'tap', ref },
      { do: 'type', value: 'Milk' },
    ],
  };
  t.match(await agent.says('act', once), '= "Milk"');
  t.match(await agent.says('act', once), /^done 2 of 2\n.*= "Milk"/s);
  for (const requestId of ['', 'ü', 'x'.repeat(97)]) {
    const refused = await agent.call('start', { platform: 'ios', requestId });
    t.match([refused.isError, wordsOf(refused)], [true, /^invalid_request: "requestId" must be /]);
  }
  const opened = { session, url: 'https://example.com/', requestId: 'once-opened' };
  t.equal(await agent.says('open_url', opened), await agent.says('open_url', opened));
  const { body: history } = await rest.call<object>('GET', `/service/ios/${session}/history`);
  t.equal(JSON.stringify(history).split('"open-url"').length - 1, 1);
  const other = { session, requestId: 'once', steps: [{ do: 'press', value: 'home' }] };
  t.match(wordsOf(await agent.call('act', other)), /duplicate_request: /);
  t.match(await agent.says('look', { session }), 'Browser', 'the other steps did nothing');
});

t.test('waits and checks tell what is there', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'ios');
  const typed = agent.says('wait', { session, role: 'textfield', value: 'Milk' });
  await agent.says('act', { session, steps: [{ do: 'type', value: 'Milk' }] });
  t.match(await typed, /^yes · frame \d+ · textfield "Note" @1$/);
  t.match(await agent.says('check', { session, role: 'textfield', value: 'Milk' }), /^yes · frame \d+ · /);
  t.match(await agent.says('check', { session, role: 'textfield', value: 'Tea' }), /^no · frame \d+ · .*Milk/);
  t.match(await agent.says('check', { session, text: 'No such', not: true }), /^yes · frame \d+$/);
  t.equal(await agent.says('wait', { session, idle: true }), 'settled');
  const late = await agent.call('wait', { session, text: 'No such', ms: 100 });
  t.match([late.isError, wordsOf(late)], [true, /^wait_timeout: /]);
  t.match(wordsOf(await agent.call('wait', { session })), /^invalid_request: One of text, id and role/);
});

t.test('a picture is a JPEG of 768 pixels at most', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'ios');
  const { content } = await agent.call('look', { session, want: 'both', settled: true });
  t.match(content, [{ type: 'text' }, { type: 'image', mimeType: 'image/jpeg' }]);
  const [, image] = content;
  const picture = Buffer.from(image?.type === 'image' ? image.data : '', 'base64');
  const { format, width, height } = await sharp(picture).metadata();
  t.match({ format, height }, { format: 'jpeg', height: 768 });
  t.ok(width < 768 && picture.length < 200_000, `${picture.length} bytes`);
});

t.test('without a credential, or with a wrong one, nothing is told', async (t) => {
  const revoked = (await rest.call<{ id: string; key: string }>('POST', '/service/account/keys', { name: 'gone' }))
    .body;
  await rest.call('DELETE', `/service/account/keys/${revoked.id}`);
  for (const bearer of [undefined, 'wrong', 'v1.wrong.token', revoked.key]) {
    await t.rejects(agentOver(t, server.url, bearer), `${bearer?.slice(0, 5)}`);
    const headers = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: '{}' });
    t.equal(answer.status, 401);
    t.match(await answer.json(), { error: { code: 'authentication_required' } });
  }
  t.equal((await rest.fetch('/mcp')).status, 405);
  const headers = { 'Content-Type': 'application/json' };
  const long = await rest.fetch('/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', x: 'y'.repeat(300_000) }),
  });
  t.equal(long.status, 413);
  const unknown = await rest.fetch('/mcp', {
    method: 'POST',
    headers,
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  t.equal(unknown.status, 406, 'the media types of a stream must be accepted');
});

t.test('a token for a session can do only what it opens, there', async (t) => {
  const [own, other] = [await rest.createSession('ios'), await rest.createSession('ios')];
  const linkOf = async (role: 'view' | 'control') =>
    (await rest.call<CreatedViewerLink>('POST', `/service/sessions/${own.id}/viewer-links`, { role })).body;
  const [viewing, controlling] = [await linkOf('view'), await linkOf('control')];
  const toolsOf = async (agent: Agent) => (await agent.client.listTools()).tools.map(({ name }) => name);

  const viewer = await agentOver(t, server.url, tokenOf(viewing.url));
  t.same(await toolsOf(viewer), ['look', 'wait', 'check', 'find']);
  t.match(await viewer.says('look'), /^frame \d+ · Home/);
  await t.rejects(viewer.call('act', { steps: [{ do: 'press', value: 'home' }] }), /no tool/);

  for (const bearer of [tokenOf(controlling.url), tokenOf(own.url)]) {
    const agent = await agentOver(t, server.url, bearer);
    t.same(await toolsOf(agent), ['look', 'act', 'wait', 'check', 'app', 'open_url', 'find', 'device']);
    t.match(
      await agent.says('act', { requestId: `by-${bearer.length}`, steps: [{ do: 'tap', text: 'Notes' }] }),
      '· Notes ·',
    );
    await agent.says('act', { steps: [{ do: 'press', value: 'home' }] });
    t.match(await agent.says('app', { do: 'list' }), /^\S+ "Notes" \w+$/m);
    t.match(wordsOf(await agent.call('look', { session: other.id })), /^invalid_request: /, 'it names no session');
    for (const name of ['start', 'end', 'devices', 'record', 'history']) {
      await t.rejects(agent.call(name, name === 'start' ? { platform: 'ios' } : { session: own.id }), /no tool/, name);
    }
    t.equal(
      (await fetch(`${server.url}/service/sessions`, { headers: { Authorization: `Bearer ${bearer}` } })).status,
      401,
    );
  }
  const { entries } = (await rest.call<HistoryPage>('GET', `/service/ios/${own.id}/history`)).body;
  t.match(
    [entries[0]?.by, entries.at(-1)?.by],
    [
      { kind: 'link', id: controlling.id, transport: 'rest' },
      { kind: 'session', transport: 'rest' },
    ],
  );
  await rest.call('DELETE', `/service/sessions/${own.id}/viewer-links/${viewing.id}`);
  await t.rejects(viewer.call('look'), 'a link that is revoked opens nothing');
  await rest.releaseSession(own.id);
  await rest.releaseSession(other.id);
});

t.test('what somebody else controls is not taken from them', async (t) => {
  const agent = await agentOver(t, server.url, TEST_KEY);
  const session = await inNotes(t, agent, 'ios');
  const { key } = (await rest.call<{ key: string }>('POST', '/service/account/keys', { name: 'holder' })).body;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  await fetch(`${server.url}/service/ios/${session}/control`, { method: 'POST', headers, body: '{"step":"take"}' });
  const refused = wordsOf(await agent.call('act', { session, steps: [{ do: 'press', value: 'home' }] }));
  t.match(refused, /^step 1 of 1 failed \(press\)\nnot_in_control: /);
});

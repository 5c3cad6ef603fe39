import type { HistoryPage, SessionList, SessionRecord } from '@runcloud/protocol';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { startServer, TEST_KEY } from '../support/server.ts';
import { WebDriverClient } from '../support/web-driver-client.ts';

interface Step {
  readonly phase: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const server = await startServer();
t.teardown(() => server.close());
const { rest } = server;
const driver = new WebDriverClient(server.url, TEST_KEY);

const APP = { appId: 'notes' };
const TAP = { action: 'tap', x: 0.5, y: 0.02 };
const read = (id: string) => rest.call<SessionRecord>('GET', `/service/sessions/${id}`);
const PLATFORM_NAMES = { ios: 'iOS', android: 'Android' } as const;

async function open(t: Test, platform: 'ios' | 'android' = 'ios'): Promise<string> {
  const session = await driver.open({ platformName: PLATFORM_NAMES[platform] });
  t.teardown(() => driver.send('DELETE', `session/${session}`));
  return session;
}

async function inNotes(t: Test, platform: 'ios' | 'android' = 'ios') {
  const session = await open(t, platform);
  const send = (method: string, command: string, body?: unknown) =>
    driver.send(method, `session/${session}/${command}`, body);
  await send('POST', `element/${await driver.find(session, 'accessibility id', 'Notes')}/click`, {});
  const note = await driver.find(session, 'accessibility id', 'Note');
  return { session, send, note };
}

t.test('a session is created by capabilities, told by them, and ended', async (t) => {
  const told = await driver.send('POST', 'session', {
    capabilities: {
      alwaysMatch: { 'appium:newCommandTimeout': 90, 'appium:automationName': 'UiAutomator2' },
      firstMatch: [{ browserName: 'chrome' }, { platformName: 'android', 'appium:deviceName': 'any' }],
    },
  });
  t.match(told, {
    status: 200,
    value: {
      sessionId: /^ses_/,
      capabilities: { platformName: 'Android', 'appium:deviceName': 'Virtual Android', browserName: '' },
    },
  });
  const { sessionId } = told.value;
  t.match((await read(sessionId)).body, { inactivityTimeoutMs: 90_000 });
  t.strictSame(await driver.send('DELETE', `session/${sessionId}`), { status: 200, value: null });
  t.match(await driver.send('GET', `session/${sessionId}/source`), {
    status: 404,
    value: { error: 'invalid session id', data: { code: 'active_session_not_found' } },
  });
});

t.test('capabilities that cannot be met are refused, and nothing is left behind', async (t) => {
  const ask = (capabilities: unknown) => driver.send('POST', 'session', { capabilities });
  const refused: readonly (readonly [unknown, string, RegExp])[] = [
    [{ alwaysMatch: { browserName: 'safari' } }, 'session not created', /no browser "safari"/],
    [{ alwaysMatch: { platformName: 'Windows' } }, 'session not created', /"platformName" must be/],
    [
      { alwaysMatch: { platformName: 'iOS', 'appium:deviceName': 'iPhone 4' } },
      'session not created',
      /must be one of Virtual iPhone/,
    ],
    [{ alwaysMatch: { platformName: 'iOS', 'appium:bundleId': 'no.such' } }, 'session not created', /app_not_found/],
    [{ alwaysMatch: { platformName: 'iOS', 'appium:app': 'ast_none' } }, 'session not created', /ast_none|asset/i],
    [{ alwaysMatch: { platformName: 5 } }, 'session not created', /"platformName" must be/],
    [
      { alwaysMatch: { platformName: 'iOS', 'appium:newCommandTimeout': 'x' } },
      'invalid argument',
      /newCommandTimeout/,
    ],
    [{ alwaysMatch: { platformName: 'iOS', 'appium:orientation': 'UP' } }, 'invalid argument', /PORTRAIT or LANDSCAPE/],
    [{ alwaysMatch: { platformName: 'iOS' }, firstMatch: [{ platformName: 'iOS' }] }, 'invalid argument', /firstMatch/],
    [{ firstMatch: [] }, 'invalid argument', /firstMatch/],
    [{ alwaysMatch: [] }, 'invalid argument', /object/],
    [undefined, 'invalid argument', /capabilities/],
  ];
  for (const [capabilities, error, message] of refused) {
    t.match((await ask(capabilities)).value, { error, message }, JSON.stringify(capabilities));
  }
  const { body } = await rest.call<SessionList>('GET', '/service/sessions?status=active');
  t.strictSame(body.sessions, []);
});

t.test('a session that is there is attached to, and outlives what was attached', async (t) => {
  const { id } = await rest.createSession('ios');
  t.teardown(() => rest.releaseSession(id));
  const attached = await driver.open({ 'runcloud:session': id });
  t.match(await driver.send('GET', `session/${attached}/window/rect`), {
    value: { x: 0, y: 0, width: 393, height: 853 },
  });
  await driver.send('DELETE', `session/${attached}`);
  t.equal((await read(id)).body.status, 'active');
});

t.test('failures have the form that clients of WebDriver read', async (t) => {
  const session = await open(t);
  const at = `session/${session}`;
  const find = { using: 'xpath', value: '//*' };
  const cases: readonly (readonly [string, string, unknown, number, string])[] = [
    ['GET', `${at}/nothing`, undefined, 404, 'unknown command'],
    ['GET', `${at}/element`, undefined, 405, 'unknown method'],
    ['POST', `${at}/element`, { ...find, value: '//[' }, 400, 'invalid selector'],
    ['POST', `${at}/element`, { ...find, value: 'count(//*)' }, 400, 'invalid selector'],
    ['POST', `${at}/element`, { ...find, using: 'css selector' }, 400, 'invalid selector'],
    ['POST', `${at}/element`, { ...find, using: 'toString' }, 400, 'invalid selector'],
    ['POST', `${at}/element`, { ...find, value: '//Nothing' }, 404, 'no such element'],
    ['POST', `${at}/element`, {}, 400, 'invalid argument'],
    ['POST', `${at}/element`, '[]', 400, 'invalid argument'],
    ['POST', `${at}/element`, '{', 400, 'invalid argument'],
    ['GET', `${at}/element/x/text`, undefined, 404, 'no such element'],
    ['GET', `${at}/element/${'A'.repeat(16)}-0-1/text`, undefined, 404, 'stale element reference'],
    ['GET', `${at}/element/%E0%A4%A/text`, undefined, 400, 'invalid argument'],
    ['GET', `${at}/alert/text`, undefined, 404, 'no such alert'],
    ['POST', `${at}/context`, { name: 'WEBVIEW' }, 400, 'no such context'],
    ['POST', `${at}/timeouts`, { implicit: -1 }, 400, 'invalid argument'],
    ['POST', `${at}/execute/sync`, { script: 'return 1', args: [] }, 500, 'unsupported operation'],
    ['POST', `${at}/execute/sync`, { script: 'mobile: swipe', args: [{}] }, 400, 'invalid argument'],
    ['POST', `${at}/url`, { url: 'javascript:alert(1)' }, 400, 'invalid argument'],
    ['GET', 'session/ses_0000000000000000000000/source', undefined, 404, 'invalid session id'],
    ['GET', 'session/x/source', undefined, 404, 'invalid session id'],
  ];
  for (const [method, command, body, status, error] of cases) {
    const told = await driver.send(method, command, body);
    t.match(
      told,
      { status, value: { error, message: /\w/, stacktrace: '' } },
      `${method} ${command} ${JSON.stringify(body)}`,
    );
    t.notMatch(JSON.stringify(told.value), /node_modules|\.ts:/);
  }
  const stranger = new WebDriverClient(server.url, 'wrong');
  t.match(await stranger.send('POST', 'session', {}), {
    status: 401,
    value: { data: { code: 'authentication_required' } },
  });
});

t.test('a key is taken as a password too, as in an address, but not from a page', async (t) => {
  const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`;
  const ask = async (path: string, authorization: string, more = {}) =>
    (await fetch(`${server.url}${path}`, { headers: { Authorization: authorization, ...more } })).status;
  const path = '/wd/status';
  t.equal(await ask(path, basic(TEST_KEY)), 200);
  t.equal(await ask(path, basic(`${TEST_KEY}x`)), 401);
  t.equal(await ask(path, basic('')), 401);
  t.equal(await ask(path, `Basic ${Buffer.from(TEST_KEY).toString('base64')}`), 401, 'without a name');
  t.equal(await ask(path, 'Basic !'), 401);
  t.equal(await ask(path, basic(TEST_KEY), { Origin: 'https://a.example' }), 401, 'a browser sends it by itself');
  t.equal(await ask('/service/sessions', basic(TEST_KEY)), 401, 'the service itself takes bearers');
});

t.test('an expression that would never end is ended, and holds up no tap and no other command for long', async (t) => {
  const session = await open(t);
  const value = '//*[count(//*[count(//*[count(//*[count(//*[count(//*) > 0]) > 0]) > 0]) > 0]) > 0]';
  const endless = driver.send('POST', `session/${session}/elements`, { using: 'xpath', value: `${value} | ${value}` });
  const order: string[] = [];
  await Promise.all([
    endless.then((told) => {
      order.push('endless');
      t.match(told.value, { error: 'invalid selector', message: /takes longer than/ });
    }),
    rest.call('POST', `/service/ios/${session}/interactions`, TAP).then(() => order.push('tap')),
  ]);
  t.strictSame(order, ['tap', 'endless']);
  t.equal((await driver.send('GET', `session/${session}/orientation`)).value, 'PORTRAIT');
});

for (const platform of ['ios', 'android'] as const) {
  t.test(`elements are found, read and used, on ${platform}`, async (t) => {
    const { session, send, note } = await inNotes(t, platform);
    const at = `element/${note}`;
    await send('POST', `${at}/value`, { text: 'Milk\uE007' });
    await send('POST', `${at}/value`, { text: '漢字 é\uE003!' });
    t.equal((await send('GET', `${at}/text`)).value, 'Milk\n漢字 !');
    t.equal(
      (await send('GET', `${at}/name`)).value,
      platform === 'ios' ? 'XCUIElementTypeTextField' : 'android.widget.EditText',
    );
    t.equal((await send('GET', `${at}/enabled`)).value, true);
    t.equal((await send('GET', `${at}/displayed`)).value, true);
    t.equal((await send('GET', `${at}/selected`)).value, false);
    const name = platform === 'ios' ? 'value' : 'text';
    t.equal((await send('GET', `${at}/attribute/${name}`)).value, 'Milk\n漢字 !');
    t.equal((await send('GET', `${at}/attribute/nothing`)).value, null);
    t.strictSame(
      (await send('GET', 'element/active')).value,
      (await send('POST', 'element', { using: 'accessibility id', value: 'Note' })).value,
    );
    await send('POST', `${at}/clear`, {});
    t.equal((await send('GET', `${at}/attribute/${name}`)).value ?? '', '');
    const xpath =
      platform === 'ios'
        ? '//XCUIElementTypeTextField[@label="Note"]'
        : '//android.widget.EditText[@content-desc="Note"]';
    t.equal(await driver.find(session, 'xpath', xpath), note);
    t.equal(
      await driver.find(
        session,
        'class name',
        platform === 'ios' ? 'XCUIElementTypeTextField' : 'android.widget.EditText',
      ),
      note,
    );
    t.equal(await driver.find(session, 'link text', 'Note'), note);
    const rect = (await send('GET', `${at}/rect`)).value;
    const picture = await sharp(Buffer.from((await send('GET', `${at}/screenshot`)).value, 'base64')).metadata();
    t.equal((picture.width / picture.height).toFixed(1), (rect.width / rect.height).toFixed(1));
    const [state, app] = ['appium/device/app_state', APP];
    t.equal((await send('POST', state, app)).value, 4);
    await send('POST', 'execute/sync', { script: 'mobile: pressButton', args: [{ name: 'home' }] });
    t.equal((await send('GET', `${at}/displayed`)).value, false);
    t.match((await send('POST', `${at}/click`, {})).value, { error: 'stale element reference' });
    t.equal((await send('POST', state, app)).value, 3);
    t.equal((await send('POST', 'appium/device/terminate_app', app)).value, true);
    t.equal((await send('POST', state, app)).value, 1);
    t.equal((await send('POST', state, { appId: 'no.such' })).value, 0);
    await send('POST', 'appium/device/set_clipboard', { content: Buffer.from('copied é').toString('base64') });
    t.equal(
      Buffer.from((await send('POST', 'appium/device/get_clipboard', {})).value, 'base64').toString(),
      'copied é',
    );
  });
}

t.test('an element that comes later is waited for as long as the implicit wait says', async (t) => {
  const session = await open(t);
  const find = { using: 'accessibility id', value: 'Note' };
  t.match(await driver.send('POST', `session/${session}/element`, find), { value: { error: 'no such element' } });
  await driver.send('POST', `session/${session}/timeouts`, { implicit: 60_000 });
  t.match(await driver.send('GET', `session/${session}/timeouts`), { value: { implicit: 60_000, script: 30_000 } });
  const found = driver.send('POST', `session/${session}/element`, find);
  await driver.send('POST', `session/${session}/appium/device/activate_app`, APP);
  t.equal((await found).status, 200);
});

t.test('actions of one and two fingers reach the device as they were written', async (t) => {
  const session = await open(t);
  const send = (command: string, body: object) => driver.send('POST', `session/${session}/${command}`, body);
  const finger = (id: string, y: number, to: number) => ({
    type: 'pointer',
    id,
    parameters: { pointerType: 'touch' },
    actions: [
      { type: 'pointerMove', duration: 0, x: 200, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerMove', duration: 100, origin: 'pointer', x: 0, y: to },
      { type: 'pointerUp', button: 0 },
    ],
  });
  t.equal((await send('actions', { actions: [finger('a', 300, -100), finger('b', 500, 100)] })).status, 200);
  const { body } = await rest.call<HistoryPage>('GET', `/service/ios/${session}/history?limit=200`);
  const steps = body.entries.find(({ action }) => action === 'gesture')?.fields?.steps as readonly Step[];
  const places = (step: Step | undefined) => step?.points.map(({ x, y }) => [Math.round(x * 393), Math.round(y * 853)]);
  t.strictSame(places(steps.at(0)), [
    [200, 300],
    [200, 500],
  ]);
  t.strictSame(places(steps.at(-1)), [
    [200, 200],
    [200, 600],
  ]);
  t.strictSame([steps.at(0)?.phase, steps.at(-1)?.phase], ['begin', 'end']);
  t.ok(steps.length > 4, 'the move has steps between');
  const far = { ...finger('a', 300, 5_000) };
  t.match(await send('actions', { actions: [far] }), { value: { error: 'move target out of bounds' } });
  const up = { type: 'pointer', id: 'a', actions: [{ type: 'pointerMove', x: 10, y: 10 }, { type: 'pointerDown' }] };
  t.match(await send('actions', { actions: [up] }), {
    value: { error: 'unsupported operation', message: /still down/ },
  });
  t.match(await send('actions', { actions: [{ type: 'wheel', id: 'w', actions: [{ type: 'scroll' }] }] }), {
    value: { error: 'unsupported operation' },
  });
});

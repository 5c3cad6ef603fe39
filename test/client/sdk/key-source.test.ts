import t from 'tap';
import { RunCloud, RunCloudError } from '../../../client/sdk/index.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const owner = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });

t.test('a function gives the key of each request, and its failure is the failure of the call', async (t) => {
  const service = await startScriptedHttp(t, (_request, response) => answerJson(response, 200, { keys: [] }));
  const given: (() => unknown)[] = [
    () => 'first',
    async () => 'second',
    () => '',
    () => 5,
    () => Promise.reject(new Error('no key today')),
  ];
  const cloud = new RunCloud({ apiKey: () => given.shift()?.() as string, baseUrl: service.url });
  await cloud.keys.list();
  await cloud.keys.list();
  await t.rejects(cloud.keys.list(), RangeError);
  await t.rejects(cloud.keys.list(), TypeError);
  await t.rejects(cloud.keys.list(), { message: 'no key today' });
  const sent = service.seen.map(({ headers }) => headers.authorization);
  t.strictSame(sent, ['Bearer first', 'Bearer second'], 'nothing is sent without one');
});

t.test('a control socket whose key has ended is opened again with the next one', async (t) => {
  const session = await owner.sessions.create({ platform: 'ios' });
  const [first, second] = [await owner.keys.create({ name: 'first' }), await owner.keys.create({ name: 'second' })];
  let current = first.key;
  const cloud = new RunCloud({ apiKey: () => current, baseUrl: server.url });
  const handle = cloud.session(session);
  const control = await handle.connect();
  const again = new Promise<void>((resolve) => control.on('ready', () => resolve()));
  current = second.key;
  await owner.keys.revoke(first.id);
  await again;
  t.equal((await handle.tap(0.5, 0.5)).status, 'completed');
  t.ok(control.connected);

  // There is no next one: it ends, and says why.
  const closed = new Promise<RunCloudError>((resolve) => control.on('closed', resolve));
  await owner.keys.revoke(second.id);
  t.match(await closed, { code: 'authentication_required', status: 401 });
  await session.delete();
});

t.test('a socket ends where no key can be had, and goes on where the key is only late', async (t) => {
  const session = await owner.sessions.create({ platform: 'ios' });
  const [first, second] = [await owner.keys.create({ name: 'first' }), await owner.keys.create({ name: 'second' })];
  const late = new RunCloudError({ operation: 'x', error: { code: 'transport_error', message: '', retryable: true } });
  let fails: Error | undefined;
  let current = first.key;
  const apiKey = async () => {
    if (!fails) return current;
    const error = fails;
    if (error === late) fails = undefined;
    throw error;
  };
  const handle = new RunCloud({ apiKey, baseUrl: server.url }).session(session);
  const control = await handle.connect();
  const again = new Promise<void>((resolve) => control.on('ready', () => resolve()));
  [fails, current] = [late, second.key];
  await owner.keys.revoke(first.id);
  await again;
  t.equal(fails, undefined, 'it was asked twice');
  const closed = new Promise<RunCloudError>((resolve) => control.on('closed', resolve));
  fails = new Error('signed out');
  await owner.keys.revoke(second.id);
  t.match(await closed, { code: 'authentication_required' });
  await session.delete();
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ERRORS, ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { DashboardClient } from '../support/dashboard-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { Program, serverProgram, temporaryDataDir } from '../support/server-process.ts';

const run = promisify(execFile);

t.test('the first start prints one ready line, one key and a line that works; the second prints no key', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const first = serverProgram(dataDir.path);
  t.teardown(() => first.signal('SIGKILL'));
  const url = await first.ready();
  t.equal(first.stdout, `RunCloud listening on ${url}\n`);
  const keys = new Set(first.stderr.match(/rck_\w{38}/g));
  t.equal(keys.size, 1, 'one key');
  const links = first.stderr.match(/http:\/\/\S+\/dashboard\/enter#rcl_\w{38}/g) ?? [];
  t.equal(links.length, 1, 'one sign-in link');
  const browser = new DashboardClient(url);
  const enter = () => browser.call('POST', '/service/account/sign-in-links', { token: links[0]?.split('#')[1] });
  t.match(await enter(), { status: 200, body: { name: 'local' } }, 'it signs in');
  t.equal((await browser.call('GET', '/service/account')).status, 200, 'the browser is signed in');
  t.equal((await enter()).status, 401, 'once');
  const line = /export .*/.exec(first.stderr)?.[0] ?? '';
  const call = `curl -sS ${url}/service/sessions -H "Authorization: Bearer $RUNCLOUD_API_KEY" -d '{"platform":"ios"}'`;
  const { stdout } = await run('sh', ['-c', `${line}\n${call} -H 'Content-Type: application/json'`]);
  t.match(JSON.parse(stdout), { platform: 'ios', status: 'active' }, 'the line that is printed works as it is');
  first.signal('SIGTERM');
  t.same(await first.ended, { code: 0, signal: null });

  const second = serverProgram(dataDir.path);
  t.teardown(() => second.signal('SIGKILL'));
  const [key = ''] = keys;
  const rest = new RestClient(await second.ready(), key);
  t.equal((await rest.call('GET', '/service/sessions')).status, 200, 'the key still works');
  t.notMatch(second.stdout + second.stderr, /rck_|rcl_/);
  t.match(second.stderr, /http:\/\/127\.0\.0\.1:\d+\/\n.* account sign-in local\n/, 'it says where and how to sign in');
  second.signal('SIGINT');
  t.same(await second.ended, { code: 0, signal: null });
});

t.test('a key that is given works and is printed nowhere; the dashboard link is', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_LOG: 'debug' });
  t.teardown(() => program.signal('SIGKILL'));
  const rest = new RestClient(await program.ready(), TEST_KEY);
  const session = await rest.createSession('ios');
  await rest.interact(session, { action: 'tap', x: 2, y: 0 });
  program.signal('SIGTERM');
  t.same(await program.ended, { code: 0, signal: null });
  t.notMatch(program.stdout + program.stderr, new RegExp(`${TEST_KEY}|rck_`));
  t.match(program.stderr, /\/dashboard\/enter#rcl_\w{38}/);
});

t.test('a wrong setting stops the start with one line that names it', async (t) => {
  const wrong: Readonly<Record<string, string>> = {
    RUNCLOUD_PORT: '65536',
    RUNCLOUD_HOST: 'http://localhost',
    RUNCLOUD_DEVICES: 'virtual-ios:0',
    RUNCLOUD_API_KEY: 'short',
    RUNCLOUD_LOG: 'loud',
    RUNCLOUD_RATE_LIMIT: 'fast',
    RUNCLOUD_PUBLIC_URL: 'example.com',
    RUNCLOUD_PROT: '8080',
    RUNCLOUD_DATA_DIR: '',
  };
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  await Promise.all(
    Object.entries(wrong).map(async ([name, value]) => {
      const program = serverProgram(dataDir.path, { [name]: value });
      t.same(await program.ended, { code: 1, signal: null }, name);
      t.equal(program.stdout, '', name);
      t.match(program.stderr, new RegExp(`^runcloud: ${name} [^\\n]+\\n$`), name);
      t.notOk(name === 'RUNCLOUD_API_KEY' && program.stderr.includes('short'), 'a key is not repeated');
    }),
  );
});

t.test('an address that is taken stops the start with one clear line', async (t) => {
  const [one, two] = [temporaryDataDir(), temporaryDataDir()];
  t.teardown(() => [one, two].map(({ remove }) => remove()));
  const holder = serverProgram(one.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => holder.signal('SIGKILL'));
  const { port } = new URL(await holder.ready());
  const program = serverProgram(two.path, { RUNCLOUD_PORT: port, RUNCLOUD_API_KEY: TEST_KEY });
  t.same(await program.ended, { code: 1, signal: null });
  t.equal(program.stdout, '');
  t.match(
    program.stderr,
    new RegExp(`^runcloud: cannot start: cannot listen on 127\\.0\\.0\\.1:${port}: [^\\n]*RUNCLOUD_PORT[^\\n]*\\n$`),
  );
  t.equal((await fetch(`http://127.0.0.1:${port}/healthz`)).status, 200, 'the one that was first goes on');
});

t.test('a data directory has one server: a second one stops with one clear line and changes nothing', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const holder = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => holder.signal('SIGKILL'));
  const rest = new RestClient(await holder.ready(), TEST_KEY);
  const { id } = await rest.createSession('ios');
  const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.same(await program.ended, { code: 1, signal: null });
  t.match(program.stderr, /^runcloud: cannot start: another server uses the data directory [^\n]+\n$/);
  t.match((await rest.call('GET', `/service/sessions/${id}`)).body, { status: 'active' });
  holder.signal('SIGKILL');
  await holder.ended;
  const heir = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => heir.signal('SIGKILL'));
  await t.resolves(heir.ready(), 'a killed server leaves no lock behind');
});

t.test('a start that fails makes no key: the one that succeeds shows the first', async (t) => {
  const [one, two] = [temporaryDataDir(), temporaryDataDir()];
  t.teardown(() => [one, two].map(({ remove }) => remove()));
  const holder = serverProgram(one.path, { RUNCLOUD_API_KEY: TEST_KEY });
  t.teardown(() => holder.signal('SIGKILL'));
  const { port } = new URL(await holder.ready());
  const failed = serverProgram(two.path, { RUNCLOUD_PORT: port });
  t.same(await failed.ended, { code: 1, signal: null });
  t.notMatch(failed.stderr, /rck_/);
  const second = serverProgram(two.path);
  t.teardown(() => second.signal('SIGKILL'));
  await second.ready();
  t.match(second.stderr, /rck_\w{38}/);
});

t.test('health, readiness, metrics and the OpenAPI document need no key', async (t) => {
  const dataDir = temporaryDataDir();
  t.teardown(dataDir.remove);
  const program = serverProgram(dataDir.path, {
    RUNCLOUD_API_KEY: TEST_KEY,
    RUNCLOUD_PUBLIC_URL: 'https://devices.example.com',
  });
  t.teardown(() => program.signal('SIGKILL'));
  const url = await program.ready();
  const rest = new RestClient(url, TEST_KEY);
  const session = await rest.createSession('ios');
  t.ok(session.url.startsWith('https://devices.example.com/view/'), 'clients see the public address');
  await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 });
  const get = async (path: string) => {
    const response = await fetch(`${url}${path}`);
    t.equal(response.status, 200, path);
    t.equal(response.headers.get('cache-control'), 'no-store', path);
    return { type: response.headers.get('content-type') ?? '', text: await response.text() };
  };
  t.equal((await get('/healthz')).text, 'ok\n');
  t.equal((await get('/readyz')).text, 'ready\n');
  const metrics = await get('/metrics');
  t.match(metrics.type, /^text\/plain/);
  for (const line of metrics.text.split('\n')) t.match(line, /^(?:#.*|[a-z_]+(?:\{.*\})? [-+.e\dInNa]+|)$/);
  t.match(metrics.text, /^runcloud_\w+/m);
  t.notMatch(metrics.text, new RegExp(session.id), 'no session has a series of its own');
  const document = JSON.parse((await get('/openapi.json')).text);
  const described = Object.values<Route>(ROUTES).filter(({ internal, answers }) => !internal && !(101 in answers));
  t.equal(Object.keys(document.paths).length, new Set(described.map(({ path }) => path)).size);
  t.match(document, { openapi: '3.1.0', servers: [{ url: 'https://devices.example.com' }] });
  t.ok(document.components.schemas.ErrorCode.enum.includes(Object.keys(ERRORS)[0]));
});

t.test(
  'the admin command makes an account while the server runs, and its key works at once and until it is revoked',
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const program = serverProgram(dataDir.path, { RUNCLOUD_API_KEY: TEST_KEY });
    t.teardown(() => program.signal('SIGKILL'));
    const url = await program.ready();
    const admin = async (...args: string[]): Promise<Record<string, string>> => {
      const command = new Program('admin', [...args, '--json'], { RUNCLOUD_DATA_DIR: dataDir.path });
      t.same(await command.ended, { code: 0, signal: null }, args.join(' '));
      return JSON.parse(command.stdout);
    };
    const { key = '', accountId } = await admin('account', 'create', 'second');
    t.match(accountId, /^acc_/);
    const rest = new RestClient(url, key);
    t.same((await rest.call('GET', '/service/sessions')).body, { sessions: [] });
    await admin('key', 'revoke', key);
    let status = 200;
    while (status === 200) ({ status } = await rest.call('GET', '/service/sessions'));
    t.equal(status, 401);
  },
);

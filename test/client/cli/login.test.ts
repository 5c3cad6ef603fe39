import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type CommandOptions, commandLine, commandProcess, failureOf } from '../../support/command-line.ts';
import { DashboardClient } from '../../support/dashboard-client.ts';
import { letIn } from '../../support/let-in.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());

/** Command lines of a person without a key. */
function commands(t: Test, env: Readonly<Record<string, string>> = {}) {
  const stateFolder = join(t.testdir({}), 'state');
  const all: string[] = [];
  const run = async (args: readonly string[], options: Partial<CommandOptions> = {}) => {
    const around = { env: { RUNCLOUD_BASE_URL: server.url, NO_COLOR: '1', ...env }, stateFolder };
    const finished = await commandLine(args, { ...around, ...options });
    all.push(finished.stdout, finished.stderr);
    return finished;
  };
  const json = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    if (code !== 0 || stderr !== '') throw new Error(`${args}: ${code} ${stdout}${stderr}`);
    return JSON.parse(stdout);
  };
  const file = join(stateFolder, 'tokens.json');
  const tokens = () => JSON.parse(readFileSync(file, 'utf8')).services[server.url];
  return { stateFolder, file, tokens, run, json, all };
}

type Commands = ReturnType<typeof commands>;

/** Signs in, and decides on the code as soon as it is printed, as a person does in the dashboard. */
async function login(by: Commands, decision: 'approve' | 'deny' = 'approve', args: readonly string[] = []) {
  let decided: Promise<unknown> | undefined;
  const browser = new DashboardClient(server.url);
  await browser.enter(server.dataDir);
  const opened: string[] = [];
  const onOutput = (stdout: string) => {
    const [code] = stdout.match(/[A-Z]{4}-[A-Z]{4}/) ?? [];
    if (code) decided ??= browser.call('POST', `/service/account/device-requests/${code}`, { decision });
  };
  const finished = await by.run(['login', ...args], {
    onOutput,
    isTerminal: true,
    onBrowser: (url) => opened.push(url),
  });
  await decided;
  return { ...finished, opened };
}

/** Puts a sign-in's tokens where the command keeps them, without the wait of the flow. */
async function signIn({ stateFolder, file }: Commands): Promise<void> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const services = { [server.url]: { ...(await letIn(server.rest)), expiresAt } };
  mkdirSync(stateFolder);
  writeFileSync(file, JSON.stringify({ services }));
}

/** Sets the end of the access token's life, as if time had passed. */
function expire({ file, tokens }: Commands, inMs: number): void {
  const expiresAt = new Date(Date.now() + inMs).toISOString();
  writeFileSync(file, JSON.stringify({ services: { [server.url]: { ...tokens(), expiresAt } } }));
}

t.test('a person signs in, works, and signs out; no token is ever printed', async (t) => {
  const by = commands(t);
  const signedIn = await login(by);
  t.match(signedIn, { code: 0, stderr: '' });
  const [code = ''] = signedIn.stdout.match(/[A-Z]{4}-[A-Z]{4}/) ?? [];
  const address = `${server.url}/dashboard/device?user_code=${code}`;
  t.equal(
    signedIn.stdout,
    `Open ${address}\nand check that it shows the code ${code}.\n✓ Signed in to ${server.url} as local.\n`,
  );
  t.strictSame(signedIn.opened, [address], 'the browser opens, once');
  t.equal(statSync(by.file).mode & 0o777, 0o600);
  t.equal(statSync(by.stateFolder).mode & 0o777, 0o700);
  t.strictSame(readdirSync(by.stateFolder), ['tokens.json'], 'nothing is left aside');

  t.match(await by.json('account'), { name: 'local', credential: { kind: 'token' } });
  t.match(
    (await by.run(['account'])).stdout,
    /^account {7}local \(acc_\w+\)\norganization .*\nservice .*\nby {12}the sign-in/,
  );
  const { tokens: programs } = (await server.rest.call<{ tokens: object[] }>('GET', '/service/account/tokens')).body;
  t.match(programs, [{ client: 'RunCloud command line', deviceName: hostname().slice(0, 64) }]);
  const session = await by.json('session', 'create', 'ios');
  t.match(await by.json('tap', '0.5', '0.5'), { status: 'completed', sessionId: session.id });
  const lines = await by.run(['run', '-'], { stdin: '{"action":"tap","x":0.5,"y":0.5}\n' });
  t.match([lines.code, lines.stdout], [0, /"completed"/], 'also over the control socket');
  await by.json('session', 'delete');

  const { accessToken, refreshToken } = by.tokens();
  t.strictSame(await by.json('logout'), { ok: true, wasSignedIn: true });
  t.notOk(existsSync(by.file));
  const authorization = { Authorization: `Bearer ${accessToken}` };
  t.equal((await fetch(`${server.url}/service/account`, { headers: authorization })).status, 401, 'it is revoked');
  t.match(failureOf(await by.run(['account'])), {
    error: { code: 'authentication_required', action: /runcloud login/ },
  });
  t.match(await by.run(['logout']), { code: 0, stdout: /not signed in/ });
  t.notMatch(by.all.join(''), new RegExp(`${accessToken}|${refreshToken}`));
});

t.test('keys are made, shown once, listed and revoked', async (t) => {
  const by = commands(t, { RUNCLOUD_API_KEY: TEST_KEY });
  const created = await by.json('keys', 'create', 'CI', '--ttl', '720h');
  t.match(created, { id: /^key_/, name: 'CI', key: /^rck_\w{38}$/, expiresAt: /Z$/ });
  const plain = await by.run(['keys', 'create', 'a name']);
  t.match([plain.code, plain.stdout], [0, /^rck_\w{38}\n$/], 'nothing else, to be put into a file');
  const listed = await by.run(['keys', 'list']);
  t.match(listed.stdout, new RegExp(`^key_\\w+  a name  does not expire  never used\n${created.id}  CI  expires `));
  t.notMatch(listed.stdout, /rck_/);
  const account = (key: string) =>
    by.run(['account'], { env: { RUNCLOUD_BASE_URL: server.url, RUNCLOUD_API_KEY: key } });
  t.equal((await account(created.key)).code, 0);
  t.strictSame(await by.json('keys', 'revoke', created.id), { id: created.id, revoked: true });
  t.equal((await by.run(['keys', 'revoke', created.id])).code, 0, 'repeated: the same');
  t.match(failureOf(await account(created.key)), { error: { code: 'authentication_required' } });
  t.match(failureOf(await by.run(['keys', 'revoke', 'key_unknown'])), { error: { code: 'key_not_found' } });
  const { keys } = await by.json('keys', 'list');
  t.notOk(keys.some(({ id }: { id: string }) => id === created.id));
});

t.test('programs that are signed in are listed, and signed out', async (t) => {
  const by = commands(t);
  await signIn(by);
  const own = (await by.json('account')).credential.id;
  const others = await letIn(server.rest, 'lost laptop');
  const [program] = (await by.json('tokens', 'list', '--limit', '1')).tokens;
  const listed = await by.run(['tokens', 'list']);
  t.match(
    listed.stdout,
    new RegExp(`^${program.id}  RunCloud command line on lost laptop  signed in \\S+Z  never used\n${own}  `),
  );
  t.notMatch(listed.stdout, others.accessToken);
  t.strictSame(await by.json('tokens', 'revoke', program.id), { id: program.id, revoked: true });
  t.equal((await by.run(['tokens', 'revoke', program.id])).code, 0, 'repeated: the same');
  const headers = { Authorization: `Bearer ${others.accessToken}` };
  t.equal((await fetch(`${server.url}/service/account`, { headers })).status, 401);
  t.match(failureOf(await by.run(['tokens', 'revoke', 'tok_unknown'])), { error: { code: 'token_not_found' } });
  const { tokens } = await by.json('tokens', 'list', '--all');
  t.same(
    tokens.map(({ id }: { id: string }) => id).filter((id: string) => [own, program.id].includes(id)),
    [own],
    'the one that asks is still there',
  );
});

t.test('a token that ends soon is renewed by one of many processes, and all go on', async (t) => {
  const by = commands(t);
  await signIn(by);
  const before = by.tokens();
  expire(by, 60_000);
  const many = await Promise.all(Array.from({ length: 12 }, () => by.run(['account', '--json'])));
  for (const { code, stderr } of many) t.match([code, stderr], [0, '']);
  const renewed = by.tokens();
  t.not(renewed.refreshToken, before.refreshToken);
  t.ok(Date.parse(renewed.expiresAt) > Date.now() + 3_000_000);
  t.equal(statSync(by.file).mode & 0o777, 0o600);

  // The same with processes of their own. A second use of a refresh token would have ended the sign-in.
  const XDG_CONFIG_HOME = join(by.stateFolder, 'config');
  mkdirSync(join(XDG_CONFIG_HOME, 'runcloud'), { recursive: true });
  expire(by, -1_000);
  cpSync(by.file, join(XDG_CONFIG_HOME, 'runcloud', 'tokens.json'));
  const env = { RUNCLOUD_BASE_URL: server.url, XDG_CONFIG_HOME };
  const processes = await Promise.all([1, 2, 3].map(() => commandProcess(['account', '--json'], env).ended));
  for (const { code, stderr } of processes) t.match([code, stderr], [0, '']);
  t.strictSame(readdirSync(join(XDG_CONFIG_HOME, 'runcloud')), ['tokens.json'], 'no lock is left');
});

t.test('a sign-in that was ended elsewhere is told of, and its tokens are deleted', async (t) => {
  const by = commands(t);
  await signIn(by);
  const { body } = await server.rest.call<{ tokens: { id: string }[] }>('GET', '/service/account/tokens');
  await server.rest.call('DELETE', `/service/account/tokens/${body.tokens[0]?.id}`);
  t.match(failureOf(await by.run(['account'])), { error: { code: 'authentication_required' } });
  expire(by, 0);
  t.match(failureOf(await by.run(['account'])), {
    error: { code: 'authentication_required', message: 'The sign-in has ended.', action: /runcloud login/ },
  });
  t.notOk(existsSync(by.file));
});

t.test('the key of the environment goes before a sign-in, and signing in again ends the sign-in before', async (t) => {
  const by = commands(t);
  await signIn(by);
  const first = by.tokens();
  const env = { RUNCLOUD_BASE_URL: server.url, RUNCLOUD_API_KEY: TEST_KEY };
  const { stdout } = await by.run(['account', '--json'], { env });
  t.match(JSON.parse(stdout), { credential: { kind: 'key' } });
  await login(by);
  t.not(by.tokens().accessToken, first.accessToken);
  const headers = { Authorization: `Bearer ${first.accessToken}` };
  t.equal((await fetch(`${server.url}/service/account`, { headers })).status, 401);
  t.match(await by.json('account'), { credential: { kind: 'token' } });
});

t.test('a request that is denied leaves nothing behind', async (t) => {
  const by = commands(t);
  const denied = await login(by, 'deny', ['--no-browser']);
  t.match([denied.code, denied.opened], [1, []]);
  t.equal(denied.stderr, '✗ The request was denied.\n  access_denied\n');
  t.notOk(existsSync(by.file));
});

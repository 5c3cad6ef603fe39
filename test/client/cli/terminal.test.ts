import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ERRORS, type ErrorCode, errorBody } from '@runcloud/protocol';
import t, { type Test } from 'tap';
import { type CommandOptions, commandLine } from '../../support/command-line.ts';
import { NOBODY_URL } from '../../support/nobody.ts';
import { answerJson, failure, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z');
const at = (minutes: number): string => new Date(NOW_MS + minutes * 60_000).toISOString();

const session = (n: number, more: object = {}) => ({
  id: `ses_${String(n).repeat(22)}`,
  platform: 'ios',
  status: 'active',
  device: { model: 'Virtual iPhone 15', osVersion: 'iOS 17.4' },
  orientation: 'portrait',
  createdAt: at(-n * 7),
  expiresAt: at(n * 4),
  inactivityTimeoutMs: 600_000,
  hardTimeoutMs: 7_200_000,
  installAssets: [],
  labels: {},
  url: 'https://a.example/view?token=secret',
  ...more,
});

const ENDED = session(9, { status: 'released', releasedAt: at(-60), releaseReason: 'requested' });
const SESSIONS: readonly ReturnType<typeof session>[] = [
  session(1, { status: 'starting', platform: 'android', labels: { build: '7', team: '日本語チーム' } }),
  session(2, { installAssets: ['ast_1'], labels: { purpose: 'a long label, which takes much room in a table' } }),
  ENDED,
];
const RECORDINGS = [
  { id: 'rec_333', status: 'recording', createdAt: at(-1) },
  {
    id: 'rec_222',
    status: 'ready',
    createdAt: at(-300),
    durationMs: 83_400,
    byteSize: 2_345_678,
    retentionExpiresAt: at(9_780),
    events: [
      { type: 'created', at: at(-300), status: 'starting' },
      { type: 'ready', at: at(-298), status: 'ready', detail: 'verified and stored, after a second look' },
    ],
  },
  {
    id: 'rec_111',
    status: 'failed',
    createdAt: at(-3_000),
    failure: { code: 'device_lost', message: 'The device was lost while it was recorded.', action: 'Record again.' },
  },
];
const FINDINGS = [
  { what: 'Virtual devices', state: 'ready', detail: '4 iOS, 4 Android' },
  {
    what: 'adb',
    state: 'missing',
    detail: 'The program is not on the PATH of the service, and ANDROID_HOME is not set.',
    fix: 'Install the platform tools of the Android SDK, or set ANDROID_HOME to where they are, and start the service again.',
  },
  { what: 'Xcode', state: 'unavailable', detail: 'Only on macOS.' },
];

const LISTS: Readonly<Record<string, object>> = {
  '/service/account/keys': {
    keys: [
      { id: 'key_2', name: 'CI', createdAt: at(-3), expiresAt: at(43_200), lastUsedAt: at(-0.5) },
      { id: 'key_1', name: 'a name that somebody gave', createdAt: at(-100_000) },
    ],
  },
  '/service/account/tokens': {
    tokens: [{ id: 'tok_1', client: 'RunCloud command line', deviceName: 'laptop', createdAt: at(-90) }],
  },
  '/service/account': {
    id: 'acc_1',
    organizationId: 'org_1',
    name: 'local',
    email: 'me@example.com',
    credential: { kind: 'key', id: 'key_1' },
  },
  '/service/doctor': { findings: FINDINGS },
  '/service/assets': {
    assets: [
      {
        id: 'ast_1',
        platform: 'ios',
        name: 'Demo',
        identifier: 'com.example.demonstration',
        version: '1.2.3',
        byteSize: 4_096,
        createdAt: at(-4_000),
      },
    ],
    next: 'here',
  },
};

/** A service that is as it was at one moment. */
const service: Script = ({ method, path, body }, response) => {
  const { pathname, searchParams } = new URL(path, 'http://service');
  if (pathname === '/service/sessions' && method === 'GET') {
    const status = searchParams.get('status');
    const sessions = SESSIONS.filter((one) => status === null || one.status === status);
    return answerJson(response, 200, { sessions });
  }
  if (pathname.endsWith('viewer-links')) {
    const links = [{ id: 'lnk_1', role: 'view', expiresAt: at(45), embedOrigin: 'https://pages.example' }];
    const made = { ...links[0], url: 'https://a.example/view?token=made' };
    return answerJson(response, 200, method === 'GET' ? { viewerLinks: links } : made);
  }
  if (pathname.startsWith('/service/sessions'))
    return answerJson(response, 200, method === 'DELETE' ? ENDED : (SESSIONS[1] ?? {}));
  if (pathname.endsWith('/recordings'))
    return answerJson(response, 200, method === 'GET' ? { recordings: RECORDINGS } : (RECORDINGS[0] ?? {}));
  if (pathname.includes('/recordings/')) return answerJson(response, 200, RECORDINGS[1] ?? {});
  if (pathname.endsWith('/interactions')) {
    const { action, requestId } = JSON.parse(body.toString());
    return answerJson(response, 200, { ok: true, requestId, action, status: 'completed', durationMs: 4 });
  }
  if (method === 'POST' && pathname === '/service/account/keys') {
    return answerJson(response, 201, {
      id: 'key_3',
      name: 'laptop',
      key: 'rck_secret',
      createdAt: at(0),
      expiresAt: at(43_200),
    });
  }
  if (pathname.endsWith('/open-url'))
    return answerJson(response, 200, { ok: true, device: 'dev_1', url: JSON.parse(body.toString()).url });
  const known = LISTS[pathname];
  return known ? answerJson(response, 200, known) : answerJson(response, 200, { ok: true });
};

type Output = Partial<CommandOptions> & { readonly script?: Script; readonly noKey?: true };

/** What a command prints, with the address of the service and ids of requests as they are never. */
async function outputOf(t: Test, args: readonly string[], { script = service, noKey, ...options }: Output = {}) {
  const { url } = await startScriptedHttp(t, script);
  const env = {
    ...(noKey ? {} : { RUNCLOUD_API_KEY: 'a-key' }),
    RUNCLOUD_BASE_URL: url,
    RUNCLOUD_SESSION: 'ses_2222222222222222222222',
    NO_COLOR: '1',
    ...options.env,
  };
  const finished = await commandLine(args, {
    stateFolder: join(t.testdir({}), 'state'),
    nowMs: () => NOW_MS,
    isTerminal: true,
    ...options,
    env,
  });
  const plain = (text: string) =>
    text
      .replaceAll(url, 'http://service:8787')
      .replaceAll(NOBODY_URL, 'http://nobody:1')
      .replace(/req_\w{22}/g, 'req_X');
  return { ...finished, stdout: plain(finished.stdout), stderr: plain(finished.stderr) };
}

const WIDTHS = [60, 80, 200];

for (const args of [['--help'], ['session', '--help'], ['session', 'create', '--help'], ['tap', '--help']]) {
  t.test(`"${args.join(' ')}" fits the terminal`, async (t) => {
    for (const columns of WIDTHS) {
      const { code, stdout, stderr } = await outputOf(t, args, { columns });
      t.match([code, stderr], [0, '']);
      // What can be typed as it stands is not broken.
      for (const line of stdout.split('\n')) t.ok(line.length <= columns || line.includes('$ runcloud'), line);
      t.matchSnapshot(stdout, `${columns} columns`);
    }
  });
}

/** Commands whose output depends on the width. */
const WIDE = [
  ['ls'],
  ['session', 'list', '--all'],
  ['keys', 'list'],
  ['tokens', 'list'],
  ['links', 'list'],
  ['record', 'list'],
  ['record', 'status', 'rec_222'],
  ['app', 'list'],
  ['doctor'],
];

for (const args of WIDE) {
  t.test(`"${args.join(' ')}" is a table that fits the terminal, and lines in a pipe`, async (t) => {
    for (const columns of WIDTHS) {
      const { code, stdout, stderr } = await outputOf(t, args, { columns });
      t.match([code, stderr], [0, '']);
      for (const line of stdout.split('\n')) t.ok(line.length <= columns, line);
      t.matchSnapshot(stdout, `${columns} columns`);
    }
    t.matchSnapshot((await outputOf(t, args, { isTerminal: false })).stdout, 'pipe');
  });
}

const NARROW: readonly (readonly string[])[] = [
  ['account'],
  ['session', 'create', 'ios'],
  ['session', 'get'],
  ['session', 'use', 'ses_1'],
  ['session', 'delete'],
  ['tap', '0.5', '0.5'],
  ['open-url', 'https://a.example/'],
  ['record', 'start'],
  ['record', 'stop', 'rec_222'],
  ['keys', 'create', 'laptop', '--ttl', '720h'],
  ['keys', 'revoke', 'key_1'],
  ['tokens', 'revoke', 'tok_1'],
  ['links', 'create', 'view'],
  ['links', 'revoke', 'lnk_1'],
  ['app', 'delete', 'ast_1'],
  ['view'],
  ['logout'],
  ['version'],
];

t.test('results are sentences on a terminal, and lines in a pipe', async (t) => {
  for (const args of NARROW) {
    const { code, stdout, stderr } = await outputOf(t, args);
    t.match([code, stderr], [0, ''], args.join(' '));
    t.matchSnapshot(stdout, args.join(' '));
    t.matchSnapshot((await outputOf(t, args, { isTerminal: false })).stdout, `${args.join(' ')}, pipe`);
  }
});

/** Refuses everything, in the service's own words where it has the code; it names the session that the path names. */
const failing =
  (status: number, code: string): Script =>
  ({ path }, response) => {
    const error = Object.hasOwn(ERRORS, code) ? { error: errorBody(code as ErrorCode) } : {};
    const [sessionId] = /ses_\w+/.exec(path) ?? [];
    const body = { ...failure(code, false, { sessionId }), ...error };
    answerJson(response, status, body, status === 503 ? { 'Retry-After': '5' } : {});
  };

/** What can go wrong, by the name of a person's mistake or misfortune. */
const FAILURES: Readonly<Record<string, readonly [readonly string[], Output?]>> = {
  'nothing listens': [['ls'], { env: { RUNCLOUD_BASE_URL: NOBODY_URL } }],
  'nothing listens, for a tap': [['tap', '0', '0'], { env: { RUNCLOUD_BASE_URL: NOBODY_URL } }],
  'no address': [['ls'], { env: { RUNCLOUD_BASE_URL: 'example.com' } }],
  'another service': [['ls'], { script: (_request, response) => void response.writeHead(404).end('nothing') }],
  'no answer': [['ls'], { script: () => undefined, bounds: { answerMs: 50 } }],
  'no answer, for a tap': [
    ['tap', '0', '0', '--timeout', '100ms'],
    { script: () => undefined, bounds: { graceMs: 20 } },
  ],
  'no key': [['ls'], { noKey: true }],
  'a wrong key': [['ls'], { script: failing(401, 'authentication_required') }],
  'no device': [['session', 'create', 'ios'], { script: failing(503, 'simulator_capacity_unavailable') }],
  'an ended session': [['tap', '0', '0'], { script: failing(404, 'active_session_not_found') }],
  'no such session': [['session', 'use', 'ses_5'], { script: failing(404, 'session_not_found') }],
  'no such recording': [['record', 'status', 'rec_5'], { script: failing(404, 'recording_not_found') }],
  'an error of the service': [['ls'], { script: failing(500, 'internal_error') }],
  'an unknown error': [['ls'], { script: failing(418, 'of_a_later_version') }],
  'no session yet': [['tap', '0', '0'], { env: { RUNCLOUD_SESSION: '' } }],
  'no argument': [['swipe']],
  'a wrong argument': [['tap', '0.5', '2']],
  'an unknown option': [['tap', '0.5', '0.5', '--sesion', 'a']],
  'no command of a group': [['session']],
  'a mistyped command': [['screnshot']],
  'a command of a group': [['list']],
  'the beginning of a command': [['rec']],
  'another word': [['dance']],
  'another word in a group': [['session', 'lst']],
  'a file that is there': [['screenshot', '-o', 'package.json']],
};

for (const [name, [args, output]] of Object.entries(FAILURES)) {
  t.test(`a person is told what to do: ${name}`, async (t) => {
    const [piped, json, ...seen] = await Promise.all([
      outputOf(t, args, { ...output, isTerminal: false }),
      outputOf(t, [...args, '--json'], output),
      ...WIDTHS.map((columns) => outputOf(t, args, { ...output, columns })),
    ]);
    for (const [index, { code, stdout, stderr }] of seen.entries()) {
      const columns = WIDTHS[index] ?? 0;
      t.not(code, 0);
      t.equal(stdout, '');
      for (const line of stderr.split('\n')) t.ok(line.length <= columns, line);
      const isFirst = seen.findIndex((other) => other.stderr === stderr) === index;
      if (isFirst) t.matchSnapshot(stderr, `${columns} columns`);
    }
    for (const { code, stdout, stderr } of [piped, json]) {
      t.equal(code, seen[0]?.code);
      t.equal(stdout, '');
      t.match(JSON.parse(stderr), { ok: false, error: { code: String, message: String } }, 'programs get JSON');
    }
    t.matchSnapshot(piped.stderr, 'pipe');
  });
}

t.test('colours are shown on a terminal, unless the environment says otherwise', async (t) => {
  const colored = async (env: object, isTerminal = true) => {
    const outputs = await Promise.all(
      [['ls'], ['--help']].map((args) => outputOf(t, args, { isTerminal, env: { NO_COLOR: undefined, ...env } })),
    );
    return outputs.map(({ stdout }) => stdout.includes('\u001b['));
  };
  t.same(await colored({}), [true, true]);
  t.same(await colored({ NO_COLOR: '1' }), [false, false]);
  t.same(await colored({ NO_COLOR: '' }), [true, true], 'an empty one says nothing');
  t.same(await colored({ TERM: 'dumb' }), [false, false]);
  t.same(await colored({ FORCE_COLOR: '1', NO_COLOR: '1', TERM: 'dumb' }), [true, true]);
  t.same(await colored({ FORCE_COLOR: '0' }), [false, false]);
  t.same(await colored({ FORCE_COLOR: '1' }, false), [false, false], 'programs get none');
  const { stdout } = await outputOf(t, ['ls', '--all'], { env: { NO_COLOR: undefined } });
  t.matchSnapshot(stdout.replaceAll('\u001b', '<ESC>'), 'a table');
  const { stderr } = await outputOf(t, ['dance'], { env: { NO_COLOR: undefined } });
  t.matchSnapshot(stderr.replaceAll('\u001b', '<ESC>'), 'an error');
});

const hasScript = spawnSync('script', ['--version']).error === undefined;

t.test('a real terminal is known as one, and how wide it is', { skip: !hasScript && 'script is absent' }, async (t) => {
  const { url } = await startScriptedHttp(t, service);
  const run = async (command: string, env: object = {}) => {
    const { PATH, HOME } = process.env;
    const line = `stty cols 60 && ${process.execPath} client/bin/runcloud.js ${command}`;
    const around = { PATH, HOME, RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL: url, TERM: 'xterm', ...env };
    const child = spawn('script', ['-qec', line, '/dev/null'], { env: around, stdio: ['ignore', 'pipe', 'ignore'] });
    return (await text(child.stdout)).replaceAll('\r\n', '\n');
  };
  const doctor = await run('doctor');
  t.match(doctor, 'Virtual devices');
  t.match(doctor, '\u001b[32m', 'in colours');
  t.match(await run('doctor', { NO_COLOR: '1' }), /^✗ adb {14}The program is not on the PATH of the\n {19}service/m);
  t.match(
    await run('ls', { RUNCLOUD_BASE_URL: NOBODY_URL, NO_COLOR: '1' }),
    /^✗ The service at \S+ cannot be reached:\n {2}nothing listens there\.\n/,
  );
  t.match(await run('ls --json'), /^\{"sessions":/);
  t.match(await run('ls | cat'), /^ses_\S+ {2}android {2}starting/);
});

t.test('a list shows live sessions to a person, and everything to a program', async (t) => {
  const { seen, url } = await startScriptedHttp(t, service);
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL: url, NO_COLOR: '1' };
  const about = { env, stateFolder: join(t.testdir({}), 'state'), nowMs: () => NOW_MS };
  const ids = async (args: readonly string[], isTerminal: boolean) => {
    const { stdout } = await commandLine(args, { ...about, isTerminal });
    return stdout.match(/ses_\d/g);
  };
  t.same(await ids(['ls'], true), ['ses_1', 'ses_2']);
  t.same(seen.map(({ path }) => path).sort(), [
    '/service/sessions?status=active',
    '/service/sessions?status=releasing',
    '/service/sessions?status=starting',
  ]);
  t.same(await ids(['ls', '--all'], true), ['ses_1', 'ses_2', 'ses_9']);
  t.same(await ids(['ls', '--status', 'released'], true), ['ses_9']);
  t.same(await ids(['ls', '--limit', '50'], true), ['ses_1', 'ses_2', 'ses_9']);
  t.same(await ids(['ls'], false), ['ses_1', 'ses_2', 'ses_9']);
  const { sessions } = JSON.parse((await commandLine(['ls', '--json'], { ...about, isTerminal: true })).stdout);
  t.equal(sessions.length, 3);
  const none: Script = (_request, response) => answerJson(response, 200, { sessions: [] });
  t.matchSnapshot((await outputOf(t, ['ls'], { script: none })).stdout, 'none live');
  t.matchSnapshot((await outputOf(t, ['ls', '--all'], { script: none })).stdout, 'none at all');
});
